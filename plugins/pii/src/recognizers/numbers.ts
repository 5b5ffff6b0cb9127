import { digitsOf, isDate, areSameDigits, twoDigits, weighted } from '../checksums/digits.js'
import type { Checksum } from '../checksums/index.js'
import { namedChecksums } from '../checksums/national.js'
import { aloneOrInList } from '../patterns/boundaries.js'
import { wordsOf } from '../words/lists.js'
import rows from './national.json' with { type: 'json' }
import type { Recognizer } from './recognizer.js'

/** A check character by the remainder of a weighted sum. */
interface CheckCharacter {
  /** The weights of the digits, from the first on. */
  readonly weights: readonly number[]
  /** The check character for each remainder; their number is the divisor, and a dash means none. */
  readonly characters: string
  /** The index of the check character among letters and digits; the last one by default. */
  readonly at?: number
}

/** Where the two digits of each part of a birth date begin; negative indices count from the last digit. */
interface BirthDate {
  readonly year: number
  readonly month: number
  readonly day: number
  /** Divisors that remove what is added to months and days for the century or the sex. */
  readonly monthModulo?: readonly number[]
  readonly dayModulo?: number
}

/** The flag `i` only for patterns with letters, as others compile to less code without it. */
const flagsOf = (source: string): string => (/[a-z]/i.test(source.replace(/\\./g, '')) ? 'iu' : 'u')

const alone = (before: string, source: string, after: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}]${before})${source}(?![\p{L}\p{N}]${after})`, flagsOf(source))

/** Patterns for numbers, by what must not be beside them in addition to letters and digits. */
const boundaries = {
  numbers: (source: string) => aloneOrInList(source, flagsOf(source)),
  letters: (source: string) => alone('', source, ''),
  dashes: (source: string) => alone(String.raw`|\d[-.]`, source, String.raw`|-\d`),
}

/** A row of the tables of numbers. */
export interface NumberRow extends Omit<Recognizer, 'patterns' | 'validate'> {
  /** Sources of patterns with their scores: 0.1 where only context words distinguish the number from others. */
  readonly shapes?: Readonly<Record<string, number>>
  /** Its boundaries; `numbers` by default. */
  readonly beside?: keyof typeof boundaries
  readonly checks?: readonly CheckCharacter[]
  /** The name of a checksum in `checksums/national.ts`. */
  readonly check?: string
  readonly birth?: BirthDate
  /** Whether a number that repeats one digit is invalid. */
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
    const numberOfMonth = monthModulo.reduce((remainder, divisor) => remainder % divisor, twoDigits(digits, month))
    return isDate(twoDigits(digits, year), numberOfMonth, twoDigits(digits, day) % dayModulo)
  }

const checksumNamed = (name: string): Checksum => {
  const checksum = namedChecksums[name]
  if (!checksum) throw new Error(`there is no checksum "${name}"`)
  return checksum
}

/** @throws Error where the row names an unknown checksum */
export const numberOf = (row: NumberRow): Recognizer => {
  const { shapes = {}, beside: boundary = 'numbers', checks = [], check: checksum, birth, ...others } = row
  const { varied: rejectsRepeatedDigit, ...rest } = others
  const all: Checksum[] = checks.map(hasCharacter)
  if (checksum !== undefined) all.push(checksumNamed(checksum))
  if (birth) all.push(hasBirthDate(birth))
  if (rejectsRepeatedDigit) all.push((text) => !areSameDigits(text))
  return {
    ...rest,
    patterns: Object.entries(shapes).map(([shape, score]) => ({ regex: boundaries[boundary](shape), score })),
    ...(all.length > 0 && { validate: (match: string) => all.every((isRight) => isRight(match)) }),
  }
}

/** Context words for national numbers in general. */
const generalContext = wordsOf(
  'national id|identity number|identity card|id number|id card|personal number',
  'tax id|tax number|taxpayer|citizen number|identification number',
)

export const national: readonly Recognizer[] = (rows as readonly NumberRow[])
  .map(numberOf)
  .map((recognizer) => ({ ...recognizer, context: [...(recognizer.context ?? []), ...generalContext] }))
