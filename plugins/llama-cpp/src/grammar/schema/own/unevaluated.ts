import type { JsonObject } from '../keywords.js'
import type { SchemaNode } from '../node.js'
import type { Origin } from '../variant.js'

/** Keywords whose schemas may evaluate properties and items of the same value. */
const applicators = [
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'allOf',
  'anyOf',
  'contains',
  'dependencies',
  'dependentSchemas',
  'if',
  'not',
  'oneOf',
]

export const isAlone = (schema: JsonObject): boolean => !applicators.some((keyword) => keyword in schema)

/** Held where it means the same as its neighbour, or nothing because of it. */
export const unevaluated = (node: SchemaNode, schema: JsonObject, keyword: string, neighbour: string): Origin[] =>
  schema[keyword] === undefined || schema[keyword] === true || neighbour in schema || isAlone(schema)
    ? []
    : [{ keyword, node }]
