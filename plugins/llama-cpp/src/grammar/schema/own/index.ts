/** What a schema says by itself of each type, without the schemas that it combines. */

import { append } from '@sallyport/core/lists'
import type { SchemaDocument } from '../document.js'
import { typeNames } from '../keywords.js'
import type { JsonObject, TypeName } from '../keywords.js'
import type { SchemaNode } from '../node.js'
import type { Patterns } from '../patterns.js'
import type { Variant } from '../variant.js'
import { arraysOf } from './arrays.js'
import { numbersOf } from './numbers.js'
import { objectsOf } from './objects.js'
import { stringsOf } from './strings.js'

const booleans: readonly Variant[] = [
  { type: 'boolean', value: true, unheld: [] },
  { type: 'boolean', value: false, unheld: [] },
]

export const ownVariants = (
  node: SchemaNode,
  schema: JsonObject,
  document: SchemaDocument,
  patterns: Patterns,
): Variant[] => {
  const types = typesOf(schema)
  const variants: Variant[] = []
  if (types.has('null')) variants.push({ type: 'null', unheld: [] })
  if (types.has('boolean')) append(variants, booleans)
  if (types.has('number') || types.has('integer')) variants.push(numbersOf(node, schema, !types.has('number')))
  if (types.has('string')) variants.push(stringsOf(node, schema, document, patterns))
  if (types.has('array')) variants.push(arraysOf(node, schema, document))
  if (types.has('object')) variants.push(objectsOf(node, schema, document, patterns))
  return variants.filter(isPossible)
}

const isPossible = (variant: Variant): boolean => {
  switch (variant.type) {
    case 'null':
    case 'boolean':
      return true
    case 'number':
      return variant.least.value <= variant.most.value
    case 'string':
      return variant.minLength <= variant.maxLength
    case 'array':
      return variant.least <= variant.most
    case 'object':
      return variant.least.value <= variant.most.value
  }
}

const typesOf = ({ type, nullable }: JsonObject): ReadonlySet<TypeName> => {
  if (type === undefined) return new Set(typeNames)
  const types = (Array.isArray(type) ? type : [type]) as TypeName[]
  return new Set(nullable === true ? [...types, 'null'] : types)
}
