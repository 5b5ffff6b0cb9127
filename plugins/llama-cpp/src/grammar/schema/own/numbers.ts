import { numberFormats } from '../../formats.js'
import type { JsonObject } from '../keywords.js'
import type { SchemaNode } from '../node.js'
import { unbounded } from '../variant.js'
import type { Bound, NumberVariant } from '../variant.js'

/** Doubles keep decimals of so many digits apart. */
const largest = 1e15

/** An automaton has a state for each remainder. */
const largestMultiple = 256

export const numbersOf = (node: SchemaNode, schema: JsonObject, onlyIntegers: boolean): NumberVariant => {
  const { format, multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const bounds = typeof format === 'string' ? numberFormats.get(format) : undefined
  const lower: Bound[] = [
    ...(bounds ? [{ value: bounds[0], exclusive: false }] : []),
    ...boundOf(minimum, false),
    ...boundOf(exclusiveMinimum, true),
  ]
  const upper: Bound[] = [
    ...(bounds ? [{ value: bounds[1], exclusive: false }] : []),
    ...boundOf(maximum, false),
    ...boundOf(exclusiveMaximum, true),
  ]
  const unheld = Object.entries({ minimum, maximum, exclusiveMinimum, exclusiveMaximum })
    .filter(([keyword, value]) => typeof value === 'number' && !isHoldable(value, keyword.endsWith('aximum')))
    .map(([keyword]) => ({ keyword, node }))
  const multiple = typeof multipleOf === 'number' ? multipleOf : 1
  const heldMultiple = Number.isInteger(multiple) && multiple <= largestMultiple
  return {
    type: 'number',
    integer: onlyIntegers || bounds !== undefined || (heldMultiple && multipleOf !== undefined),
    least: lower.filter(({ value }) => isHoldable(value, false)).reduce(tightest(1), unbounded.least),
    most: upper.filter(({ value }) => isHoldable(value, true)).reduce(tightest(-1), unbounded.most),
    multiples: heldMultiple && multiple > 1 ? [{ value: multiple, origin: { keyword: 'multipleOf', node } }] : [],
    unheld: heldMultiple ? unheld : [...unheld, { keyword: 'multipleOf', node }],
  }
}

const boundOf = (value: unknown, exclusive: boolean): Bound[] =>
  typeof value === 'number' ? [{ value, exclusive }] : []

const tightest =
  (sign: 1 | -1) =>
  (a: Bound, b: Bound): Bound =>
    sign * b.value > sign * a.value || (a.value === b.value && b.exclusive) ? b : a

/** A short decimal, or so far out that numbers of 15 digits satisfy it. */
const isHoldable = (value: number, isUpper: boolean): boolean =>
  isUpper && value >= largest ? true : !isUpper && value <= -largest ? true : isShortDecimal(value)

const isShortDecimal = (value: number): boolean => {
  const digits = String(Math.abs(value))
  return /^\d+(\.\d+)?$/.test(digits) && digits.replace('.', '').length <= 15
}
