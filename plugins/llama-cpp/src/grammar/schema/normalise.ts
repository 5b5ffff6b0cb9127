import { isFree, keyOf } from './variant.js'
import type { NumberVariant, StringVariant, Variant } from './variant.js'

/** Those that add something: equal ones once, none beside all values of the type, and lists of values as one list. */
export const normalise = (variants: readonly Variant[]): readonly Variant[] => {
  if (variants.length < 2) return variants
  const free = new Set(variants.filter(isFree).map(({ type }) => type))
  const kept = variants.filter((variant) => !free.has(variant.type) || isFree(variant))
  return [
    ...new Map(joinValues(kept).map((variant) => [isFree(variant) ? variant.type : keyOf(variant), variant])).values(),
  ]
}

const joinValues = (variants: readonly Variant[]): Variant[] => {
  const strings: StringVariant[] = []
  const numbers: NumberVariant[] = []
  const rest: Variant[] = []
  for (const variant of variants) {
    if (variant.type === 'string' && variant.values && variant.unheld.length === 0) strings.push(variant)
    else if (variant.type === 'number' && variant.values && variant.unheld.length === 0) numbers.push(variant)
    else rest.push(variant)
  }
  const [string] = strings
  const [number] = numbers
  return [
    ...(string ? [{ ...string, values: distinct(strings.flatMap(({ values = [] }) => values)) }] : []),
    ...(number ? [{ ...number, values: distinct(numbers.flatMap(({ values = [] }) => values)) }] : []),
    ...rest,
  ]
}

const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)]
