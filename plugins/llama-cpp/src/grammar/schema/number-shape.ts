import { maxOf } from '@sallyport/kit/lists'
import { numberFormats } from '../formats.js'
import type { Language } from '../patterns/language.js'
import type { Patterns } from '../patterns/patterns.js'
import { languageOf } from '../patterns/regex.js'
import { isIntegral } from './alternative.js'
import type { Alternative, KeywordLocation } from './alternative.js'
import type { JsonObject, SchemaNode } from './document.js'
import { atLeast, atMost } from './number-bounds.js'

/** Doubles distinguish decimals of this many digits, so that a number stays on its side of a bound. */
const digits = 15
/** Digits of the integer part, where there are bounds and fractions. */
const wholeDigits = 9

const integers = `^(?:0|-?[1-9]\\d{0,${digits - 1}})$`
const decimals = (whole: number): string => `^-?(?:0|[1-9]\\d{0,${whole - 1}})(?:\\.\\d{1,${digits - whole}})?$`
/** Numbers without bounds, far from those that overflow a double. */
const scientific = `^-?(?:0|[1-9]\\d{0,14})(?:\\.\\d{1,${digits}})?(?:[eE][+-]?\\d{1,2})?$`

interface Bound {
  readonly value: number
  readonly isExclusive: boolean
  readonly isUpper: boolean
  readonly origin: KeywordLocation
}

/** The constraints of an alternative on numbers. */
export class NumberShape {
  readonly unenforced: readonly KeywordLocation[]
  /** The allowed numbers where they are listed. */
  readonly values: readonly number[] | undefined
  private readonly isInteger: boolean
  private readonly bounds: readonly Bound[]

  constructor({ nodes, values }: Alternative) {
    const bounds = nodes.flatMap(boundsOf)
    const multiples = nodes.filter(({ schema }) => 'multipleOf' in (schema as JsonObject))
    this.bounds = bounds.filter(isEnforceable)
    this.unenforced = [
      ...bounds.filter((bound) => !isEnforceable(bound)).map(({ origin }) => origin),
      ...multiples.map((node) => ({ keyword: 'multipleOf', node })),
    ]
    this.isInteger = nodes.some(({ schema }) => isIntegral(schema as JsonObject) || formatOf(schema))
    this.values = values?.filter((value) => typeof value === 'number').filter((value) => this.fits(value))
  }

  private fits(value: number): boolean {
    return (
      (!this.isInteger || Number.isInteger(value)) &&
      this.bounds.every(({ value: bound, isUpper, isExclusive }) =>
        value === bound ? !isExclusive : isUpper === value < bound,
      )
    )
  }

  /** The language of the numbers as JSON. Integers have neither fraction nor exponent, bounded numbers no exponent. */
  language(patterns: Patterns): Language {
    const { languages } = patterns
    const bounds = this.bounds.filter(({ value }) => Math.abs(value) < 10 ** digits)
    const conditions = bounds.map(({ value, isExclusive, isUpper }) =>
      isUpper ? atMost(value, isExclusive) : atLeast(value, isExclusive),
    )
    return languages.intersection(
      patterns.constant(this.base(bounds)),
      ...conditions.map((condition) => languageOf(`^(?:${condition})$`, languages)),
    )
  }

  private base(bounds: readonly Bound[]): string {
    if (this.isInteger) return integers
    if (this.bounds.length === 0) return scientific
    const lengths = bounds.map(({ value }) => String(Math.trunc(Math.abs(value))).length)
    const whole = maxOf(lengths, wholeDigits)
    return whole < digits ? decimals(whole) : integers
  }
}

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

/** Whether the bound is a short decimal, or so large that all numbers of 15 digits satisfy it. */
const isEnforceable = ({ value, isUpper }: Bound): boolean => {
  if (isUpper ? value >= 10 ** digits : value <= -(10 ** digits)) return true
  const written = String(Math.abs(value))
  return /^\d+(\.\d+)?$/.test(written) && written.replace('.', '').length <= digits
}
