/** What a schema says by itself of each type, without the schemas that it combines. */

import { append } from '@sallyport/kit/lists'
import type { SchemaDocument } from '../document.js'
import { typeNames } from '../keywords.js'
import type { JsonObject, TypeName } from '../keywords.js'
import type { SchemaNode } from '../node.js'
import type { Patterns } from '../patterns.js'
import { noCount, unbounded } from '../variant.js'
import type { Variant } from '../variant.js'
import { arraysOf } from './arrays.js'
import { numbersOf } from './numbers.js'
import { objectsOf } from './objects.js'
import { stringsOf } from './strings.js'

/** Keywords that say something of a value by themselves. */
const assertions: ReadonlySet<string> = new Set([
  ...['type', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'required'],
  ...['minProperties', 'maxProperties', 'dependentRequired', 'dependentSchemas', 'dependencies'],
])

const booleans: readonly Variant[] = [
  { type: 'boolean', value: true, unheld: [] },
  { type: 'boolean', value: false, unheld: [] },
]

/** All values. */
export const everything: readonly Variant[] = [
  { type: 'null', unheld: [] },
  ...booleans,
  { type: 'number', integer: false, ...unbounded, multiples: [], unheld: [] },
  { type: 'string', minLength: 0, maxLength: Infinity, patterns: [], unheld: [] },
  { type: 'array', layers: [], least: 0, most: Infinity, unheld: [] },
  { type: 'object', layers: [], required: new Set(), names: [], ...noCount, unheld: [] },
]

export const ownVariants = (
  node: SchemaNode,
  schema: JsonObject,
  document: SchemaDocument,
  patterns: Patterns,
): readonly Variant[] => {
  if (!Object.keys(schema).some((keyword) => assertions.has(keyword))) return everything
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
