/** Whether schemas exclude each other, as `oneOf` demands. Where no simple rule decides, they do not. */

import type { Alternative, SchemaResolver, ValueType } from './alternative.js'
import { typeOf } from './alternative.js'
import { ArrayShape } from './array-shape.js'
import type { SchemaNode } from './document.js'
import { ObjectShape } from './object-shape.js'

/** The maximum depth of properties and items that are compared. */
const maxDepth = 4

export const isExclusive = (a: Alternative, b: Alternative, resolver: SchemaResolver, depth = 0): boolean => {
  resolver.spend(1)
  return [...a.types].every((type) => !b.types.has(type) || areExclusiveForType(type, a, b, resolver, depth))
}

/** As much of an alternative as fits none of the others; undefined where no simple condition says so. */
export const narrowToExclude = (
  alternative: Alternative,
  others: readonly Alternative[],
  resolver: SchemaResolver,
): Alternative | undefined => {
  const { document } = resolver
  const excludesAll = (one: Alternative) => others.every((other) => isExclusive(one, other, resolver))
  if (excludesAll(alternative)) return alternative
  // an empty array fits all alternatives that demand no item
  const some = { ...alternative, nodes: [...alternative.nodes, document.newNode({ minItems: 1 }, document.root.path)] }
  return excludesAll(some) ? some : undefined
}

const areExclusiveForType = (
  type: ValueType,
  a: Alternative,
  b: Alternative,
  resolver: SchemaResolver,
  depth: number,
): boolean => {
  const areExclusive = (one: readonly SchemaNode[], other: readonly SchemaNode[]): boolean => {
    const [left, right] = [resolver.ifResolved(one), resolver.ifResolved(other)]
    return (
      left !== undefined &&
      right !== undefined &&
      left.every((each) => right.every((against) => isExclusive(each, against, resolver, depth + 1)))
    )
  }
  if (type === 'object' && depth < maxDepth) {
    const [one, other] = [ObjectShape.of(a, resolver), ObjectShape.of(b, resolver)]
    const keys = new Set([...one.required, ...other.required])
    return [...keys].some((key) => areExclusive(one.property(key), other.property(key)))
  }
  if (type === 'array' && depth < maxDepth) {
    const [one, other] = [new ArrayShape(a, resolver.document), new ArrayShape(b, resolver.document)]
    if (one.max < other.min || other.max < one.min) return true
    return Math.max(one.min, other.min) > 0 && areExclusive(one.itemAt(0), other.itemAt(0))
  }
  if (!a.values || !b.values) return false
  const values = new Set(b.values)
  return a.values.every((value) => typeOf(value) !== type || !values.has(value))
}
