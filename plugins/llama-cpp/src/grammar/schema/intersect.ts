import type { Patterns } from './patterns.js'
import { keyOf } from './variant.js'
import type { ArrayVariant, Bound, NumberVariant, ObjectVariant, Origin, StringVariant, Variant } from './variant.js'

/** What both describe; undefined where that is surely nothing. */
export const intersectVariants = (a: Variant, b: Variant, patterns: Patterns): Variant | undefined => {
  if (a === b || keyOf(a) === keyOf(b)) return a
  const unheld = joinOrigins(a.unheld, b.unheld)
  if (a.type === 'null' && b.type === 'null') return { ...a, unheld }
  if (a.type === 'boolean' && b.type === 'boolean') return a.value === b.value ? { ...a, unheld } : undefined
  if (a.type === 'number' && b.type === 'number') return intersectNumbers(a, b, unheld)
  if (a.type === 'string' && b.type === 'string') return intersectStrings(a, b, unheld, patterns)
  if (a.type === 'array' && b.type === 'array') return intersectArrays(a, b, unheld)
  if (a.type === 'object' && b.type === 'object') return intersectObjects(a, b, unheld)
  return undefined
}

export const joinOrigins = (a: readonly Origin[], b: readonly Origin[]): readonly Origin[] => {
  if (a.length === 0 || b.length === 0) return a.length ? a : b
  const added = b.filter(({ keyword, node }) => !a.some((other) => other.keyword === keyword && other.node === node))
  return [...a, ...added]
}

const intersectNumbers = (a: NumberVariant, b: NumberVariant, unheld: readonly Origin[]): Variant | undefined => {
  const both: NumberVariant = {
    type: 'number',
    integer: a.integer || b.integer,
    least: tighter(a.least, b.least, a.least.value > b.least.value),
    most: tighter(a.most, b.most, a.most.value < b.most.value),
    multiples: [...new Map([...a.multiples, ...b.multiples].map((multiple) => [multiple.value, multiple])).values()],
    unheld,
  }
  const { least, most } = both
  if (least.value > most.value || (least.value === most.value && (least.exclusive || most.exclusive))) return undefined
  if (!a.values && !b.values) return both
  const other = b.values && new Set(b.values)
  const values = (a.values ?? b.values ?? []).filter(
    (value) => (!a.values || !other || other.has(value)) && fitsNumber(value, both),
  )
  return values.length ? { ...both, values } : undefined
}

const tighter = (a: Bound, b: Bound, aIsTighter: boolean): Bound =>
  a.value === b.value ? { value: a.value, exclusive: a.exclusive || b.exclusive } : aIsTighter ? a : b

export const fitsNumber = (value: number, { integer, least, most, multiples }: NumberVariant): boolean =>
  (!integer || Number.isInteger(value)) &&
  (value > least.value || (value === least.value && !least.exclusive)) &&
  (value < most.value || (value === most.value && !most.exclusive)) &&
  multiples.every((multiple) => Number.isInteger(value / multiple.value))

const intersectStrings = (
  a: StringVariant,
  b: StringVariant,
  unheld: readonly Origin[],
  patterns: Patterns,
): Variant | undefined => {
  const both: StringVariant = {
    type: 'string',
    minLength: Math.max(a.minLength, b.minLength),
    maxLength: Math.min(a.maxLength, b.maxLength),
    patterns: [...new Map([...a.patterns, ...b.patterns].map((pattern) => [pattern.source, pattern])).values()],
    unheld,
  }
  if (both.minLength > both.maxLength) return undefined
  if (!a.values && !b.values) return both
  const other = b.values && new Set(b.values)
  const values = (a.values ?? b.values ?? []).filter(
    (value) => (!a.values || !other || other.has(value)) && fitsString(value, both, patterns),
  )
  return values.length ? { ...both, values } : undefined
}

export const fitsString = (value: string, variant: StringVariant, patterns: Patterns): boolean => {
  const length = Array.from(value).length
  return (
    variant.minLength <= length &&
    length <= variant.maxLength &&
    variant.patterns.every(({ source }) => patterns.accepts(source, value))
  )
}

const intersectArrays = (a: ArrayVariant, b: ArrayVariant, unheld: readonly Origin[]): Variant | undefined => {
  const [least, most] = [Math.max(a.least, b.least), Math.min(a.most, b.most)]
  if (least > most) return undefined
  return { type: 'array', layers: joinLayers(a.layers, b.layers), least, most, unheld }
}

const intersectObjects = (a: ObjectVariant, b: ObjectVariant, unheld: readonly Origin[]): Variant | undefined => {
  const least = a.least.value > b.least.value ? a.least : b.least
  const most = a.most.value < b.most.value ? a.most : b.most
  if (least.value > most.value) return undefined
  return {
    type: 'object',
    layers: joinLayers(a.layers, b.layers),
    required: new Set([...a.required, ...b.required]),
    names: [...new Set([...a.names, ...b.names])],
    least,
    most,
    unheld,
  }
}

const joinLayers = <Layer extends { readonly id: string }>(
  a: readonly Layer[],
  b: readonly Layer[],
): readonly Layer[] => {
  if (a.length === 0 || b.length === 0) return a.length ? a : b
  return [...new Map([...a, ...b].map((layer) => [layer.id, layer])).values()]
}

/** How much there is to intersect. */
export const sizeOf = (variant: Variant): number => {
  switch (variant.type) {
    case 'object':
      return variant.layers.length + variant.required.size / 4
    case 'array':
      return variant.layers.length
    case 'string':
      return variant.patterns.length
    default:
      return 0
  }
}
