import { maxOf, minOf } from '@sallyport/kit/lists'
import { numberFormats } from '../formats.js'
import type { Language } from '../patterns/language.js'
import type { Patterns } from '../patterns/patterns.js'
import { languageOf } from '../patterns/regex.js'
import { isIntegral } from './alternative.js'
import type { Alternative, Origin } from './alternative.js'
import type { JsonObject, SchemaNode } from './document.js'
import { atLeast, atMost } from './number-bounds.js'

/** A double keeps decimals of so many digits apart, so that what is on one side of a bound stays there. */
const digits = 15
/** Digits of the integer part, where there are bounds and fractions. */
const wholeDigits = 9

const integers = (length: number): string => `^(?:0|-?[1-9]\\d{0,${length - 1}})$`
const decimals = (whole: number): string => `^-?(?:0|[1-9]\\d{0,${whole - 1}})(?:\\.\\d{1,${digits - whole}})?$`
/** Numbers without bounds: far from what becomes infinite. */
const scientific = `^-?(?:0|[1-9]\\d{0,14})(?:\\.\\d{1,${digits}})?(?:[eE][+-]?\\d{1,2})?$`

const maxDivisor = 256
/** An automaton has a state for each remainder and number of digits: large divisors go with short numbers. */
const digitsOfMultiples = (divisor: number): number => maxOf([5, minOf([digits, Math.floor(1000 / divisor)])])

interface Bound {
  readonly value: number
  readonly isExclusive: boolean
  readonly isUpper: boolean
  readonly origin: Origin
}

/** What an alternative says of numbers. */
export class NumberShape {
  readonly unheld: readonly Origin[]
  /** The keywords of the divisors that are held. */
  readonly multiples: readonly Origin[]
  /** The only numbers, where they are listed. */
  readonly values: readonly number[] | undefined
  private readonly isInteger: boolean
  private readonly bounds: readonly Bound[]
  private readonly divisors: readonly number[]

  constructor({ nodes, values }: Alternative) {
    const bounds = nodes.flatMap(boundsOf)
    const multiples = nodes.filter(({ schema }) => 'multipleOf' in (schema as JsonObject))
    const isHeld = (node: SchemaNode) => Number.isInteger(divisorOf(node)) && divisorOf(node) <= maxDivisor
    this.bounds = bounds.filter(isHoldable)
    this.divisors = multiples.filter(isHeld).map(divisorOf)
    this.multiples = multiples.filter(isHeld).map((node) => ({ keyword: 'multipleOf', node }))
    this.unheld = [
      ...bounds.filter((bound) => !isHoldable(bound)).map(({ origin }) => origin),
      ...multiples.filter((node) => !isHeld(node)).map((node) => ({ keyword: 'multipleOf', node })),
    ]
    this.isInteger =
      this.divisors.length > 0 || nodes.some(({ schema }) => isIntegral(schema as JsonObject) || formatOf(schema))
    this.values = values?.filter((value) => typeof value === 'number').filter((value) => this.fits(value))
  }

  private fits(value: number): boolean {
    return (
      (!this.isInteger || Number.isInteger(value)) &&
      this.divisors.every((divisor) => value % divisor === 0) &&
      this.bounds.every(({ value: bound, isUpper, isExclusive }) =>
        value === bound ? !isExclusive : isUpper === value < bound,
      )
    )
  }

  /**
   * JSON texts of the numbers. Integers are written without fraction and exponent; so are decimals with bounds. Where
   * divisors make the automaton too large, they are left out.
   */
  language(patterns: Patterns, leaveOut: (origins: readonly Origin[]) => void): Language {
    const { languages } = patterns
    const whole = this.within(patterns)
    const language = languages.all(whole, ...this.divisors.map((divisor) => languages.multiplesOf(divisor)))
    if (patterns.automaton(language)) return language
    leaveOut(this.multiples)
    return whole
  }

  private within(patterns: Patterns): Language {
    const { languages } = patterns
    const bounds = this.bounds.filter(({ value }) => Math.abs(value) < 10 ** digits)
    const conditions = bounds.map(({ value, isExclusive, isUpper }) =>
      isUpper ? atMost(value, isExclusive) : atLeast(value, isExclusive),
    )
    return languages.all(
      patterns.constant(this.base(bounds)),
      ...conditions.map((condition) => languageOf(`^(?:${condition})$`, languages)),
    )
  }

  private base(bounds: readonly Bound[]): string {
    if (this.isInteger) return integers(digitsOfMultiples(maxOf(this.divisors, 1)))
    if (this.bounds.length === 0) return scientific
    const whole = maxOf(
      bounds.map(({ value }) => String(Math.trunc(Math.abs(value))).length),
      wholeDigits,
    )
    return whole < digits ? decimals(whole) : integers(digits)
  }
}

const divisorOf = ({ schema }: SchemaNode): number => Number((schema as JsonObject)['multipleOf'])

const boundKeywords = [
  { keyword: 'minimum', isUpper: false, isExclusive: false },
  { keyword: 'exclusiveMinimum', isUpper: false, isExclusive: true },
  { keyword: 'maximum', isUpper: true, isExclusive: false },
  { keyword: 'exclusiveMaximum', isUpper: true, isExclusive: true },
]

const boundsOf = (node: SchemaNode): Bound[] => {
  const { schema } = node
  const [low, high] = formatOf(schema) ?? []
  return [
    ...boundKeywords.map((each) => ({ ...each, value: (schema as JsonObject)[each.keyword] })),
    { keyword: 'format', value: low, isUpper: false, isExclusive: false },
    { keyword: 'format', value: high, isUpper: true, isExclusive: false },
  ].flatMap(({ keyword, value, ...rest }) =>
    typeof value === 'number' ? [{ ...rest, value, origin: { keyword, node } }] : [],
  )
}

const formatOf = (schema: JsonObject | boolean): readonly [number, number] | undefined =>
  numberFormats.get(String((schema as JsonObject)['format']))

/** A short decimal, or so far out that numbers of 15 digits satisfy it. */
const isHoldable = ({ value, isUpper }: Bound): boolean => {
  if (isUpper ? value >= 10 ** digits : value <= -(10 ** digits)) return true
  const written = String(Math.abs(value))
  return /^\d+(\.\d+)?$/.test(written) && written.replace('.', '').length <= digits
}
