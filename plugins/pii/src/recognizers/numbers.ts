import { digitsOf, isDay, sameDigits, two, weighted } from '../checksums/digits.js'
import type { Checksum } from '../checksums/index.js'
import { namedChecks } from '../checksums/national.js'
import { inRows } from '../patterns/beside.js'
import rows from './national.json' with { type: 'json' }
import type { Recognizer } from './recognizer.js'

/** A check character by the remainder of a weighted sum. */
interface CheckCharacter {
  /** Weights of the digits, from the first on. */
  readonly weights: readonly number[]
  /** The check character for each remainder, so that their number is the divisor; a dash where there is none. */
  readonly characters: string
  /** Its place among letters and digits; the last one where absent. */
  readonly at?: number
}

/** Where a birth date stands among the digits, two for each part; below zero from the end. */
interface BirthDate {
  readonly year: number
  readonly month: number
  readonly day: number
  /** What months and days are counted with: both have something added that tells the century or the sex. */
  readonly monthModulo?: readonly number[]
  readonly dayModulo?: number
}

/** Where no letter is in a pattern, case does not matter: engines need less code for what minds it. */
const flagsOf = (source: string): string => (/[a-z]/i.test(source.replace(/\\./g, '')) ? 'iu' : 'u')

const alone = (before: string, source: string, after: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}]${before})${source}(?![\p{L}\p{N}]${after})`, flagsOf(source))

/** Patterns of what stands alone: no letter and no digit is beside it, and no dash or other number. */
const besides = {
  numbers: (source: string) => inRows(source, flagsOf(source)),
  letters: (source: string) => alone('', source, ''),
  dashes: (source: string) => alone(String.raw`|\d[-.]`, source, String.raw`|-\d`),
}

/** A row of the tables: a number that stands alone or in a row of others. */
export interface NumberRow extends Omit<Recognizer, 'patterns' | 'validate'> {
  /** Sources of patterns with their scores: 0.1 where only words before the number tell it from others. */
  readonly shapes?: Readonly<Record<string, number>>
  /** What must not stand beside it; `numbers` where absent. */
  readonly beside?: keyof typeof besides
  readonly checks?: readonly CheckCharacter[]
  /** A check of `checksums/national.ts`. */
  readonly check?: string
  readonly birth?: BirthDate
  /** Whether one digit alone makes none. */
  readonly varied?: boolean
}

const hasCharacter =
  ({ weights, characters, at = -1 }: CheckCharacter): Checksum =>
  (text) => {
    const compact = text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()
    return characters.at(weighted(digitsOf(compact), weights) % characters.length) === compact.at(at)
  }

const hasBirthDate =
  ({ year, month, day, monthModulo = [], dayModulo = 100 }: BirthDate): Checksum =>
  (text) => {
    const digits = text.replace(/\D/g, '')
    const numberOfMonth = monthModulo.reduce((rest, divisor) => rest % divisor, two(digits, month))
    return isDay(two(digits, year), numberOfMonth, two(digits, day) % dayModulo)
  }

const named = (check: string): Checksum => {
  const known = namedChecks[check]
  if (!known) throw new Error(`there is no check "${check}"`)
  return known
}

/** @throws Error where the row names an unknown check */
export const numberOf = (row: NumberRow): Recognizer => {
  const { shapes = {}, beside = 'numbers', checks = [], check, birth, varied, ...rest } = row
  const all: Checksum[] = checks.map(hasCharacter)
  if (check !== undefined) all.push(named(check))
  if (birth) all.push(hasBirthDate(birth))
  if (varied) all.push((text) => !sameDigits(text))
  return {
    ...rest,
    patterns: Object.entries(shapes).map(([shape, score]) => ({ regex: besides[beside](shape), score })),
    ...(all.length > 0 && { validate: (match: string) => all.every((isRight) => isRight(match)) }),
  }
}

/** Words for national numbers in general. */
const general = [
  'national id',
  'identity number',
  'identity card',
  'id number',
  'id card',
  'personal number',
  'tax id',
  'tax number',
  'taxpayer',
  'citizen number',
  'identification number',
]

export const national: readonly Recognizer[] = (rows as readonly NumberRow[])
  .map(numberOf)
  .map((recognizer) => ({ ...recognizer, context: [...(recognizer.context ?? []), ...general] }))
