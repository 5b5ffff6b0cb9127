/** Whether schemas exclude each other, as `oneOf` demands. Where no simple rule decides, they do not. */

import type { Alternative, SchemaResolver, ValueType } from './alternative.js'
import { typeOf } from './alternative.js'
import { ArrayShape } from './array-shape.js'
import type { SchemaNode } from './document.js'
import { ObjectShape } from './object-shape.js'

/** The maximum depth of properties and items that are compared. */
const maxDepth = 4

export const isExclusive = (a: Alternative, b: Alternative, alternatives: SchemaResolver, depth = 0): boolean => {
  alternatives.spend(1)
  return [...a.types].every((type) => !b.types.has(type) || areExclusiveForType(type, a, b, alternatives, depth))
}

/** As much of an alternative as fits none of the others; undefined where no simple condition says so. */
export const narrowToExclude = (
  alternative: Alternative,
  others: readonly Alternative[],
  alternatives: SchemaResolver,
): Alternative | undefined => {
  const { document } = alternatives
  const excludesAll = (one: Alternative) => others.every((other) => isExclusive(one, other, alternatives))
  if (excludesAll(alternative)) return alternative
  // an empty array fits all alternatives that demand no item
  const some = { ...alternative, nodes: [...alternative.nodes, document.synthetic({ minItems: 1 }, document.root)] }
  return excludesAll(some) ? some : undefined
}

const areExclusiveForType = (
  type: ValueType,
  a: Alternative,
  b: Alternative,
  alternatives: SchemaResolver,
  depth: number,
): boolean => {
  const areExclusive = (one: readonly SchemaNode[], other: readonly SchemaNode[]): boolean => {
    const [left, right] = [alternatives.ifResolved(one), alternatives.ifResolved(other)]
    return (
      left !== undefined &&
      right !== undefined &&
      left.every((each) => right.every((against) => isExclusive(each, against, alternatives, depth + 1)))
    )
  }
  if (type === 'object' && depth < maxDepth) {
    const [one, other] = [ObjectShape.of(a, alternatives), ObjectShape.of(b, alternatives)]
    const keys = new Set([...one.required, ...other.required])
    return [...keys].some((key) => areExclusive(one.property(key), other.property(key)))
  }
  if (type === 'array' && depth < maxDepth) {
    const [one, other] = [new ArrayShape(a, alternatives.document), new ArrayShape(b, alternatives.document)]
    if (one.max < other.min || other.max < one.min) return true
    return Math.max(one.min, other.min) > 0 && areExclusive(one.itemAt(0), other.itemAt(0))
  }
  if (!a.values || !b.values) return false
  const values = new Set(b.values)
  return a.values.every((value) => typeOf(value) !== type || !values.has(value))
}
