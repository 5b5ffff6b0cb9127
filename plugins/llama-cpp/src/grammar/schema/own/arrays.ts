import type { SchemaDocument } from '../document.js'
import type { JsonObject } from '../keywords.js'
import type { SchemaNode } from '../node.js'
import type { ArrayVariant } from '../variant.js'
import { isAlone, unevaluated } from './unevaluated.js'

export const arraysOf = (node: SchemaNode, schema: JsonObject, document: SchemaDocument): ArrayVariant => {
  const { minItems, maxItems, uniqueItems, contains, minContains } = schema
  const most = typeof maxItems === 'number' ? maxItems : Infinity
  const { prefix, rest } = itemsOf(node, schema, document)
  const bare = prefix.length === 0 && rest.schema === true
  return {
    type: 'array',
    layers: bare ? [] : [{ id: String(node.id), prefix, rest }],
    least: typeof minItems === 'number' ? minItems : 0,
    most,
    unheld: [
      ...(uniqueItems === true && most > 1 ? [{ keyword: 'uniqueItems', node }] : []),
      ...(contains !== undefined && !(minContains === 0 && schema['maxContains'] === undefined)
        ? [{ keyword: 'contains', node }]
        : []),
      ...unevaluated(node, schema, 'unevaluatedItems', 'items'),
    ],
  }
}

const itemsOf = (
  node: SchemaNode,
  schema: JsonObject,
  document: SchemaDocument,
): { prefix: readonly SchemaNode[]; rest: SchemaNode } => {
  const list = Array.isArray(schema['items']) ? 'items' : 'prefixItems'
  const after = list === 'items' ? 'additionalItems' : 'items'
  const prefix = Array.isArray(schema[list]) ? schema[list].map((_, index) => document.child(node, list, index)) : []
  const closing =
    after in schema ? after : isAlone(schema) && 'unevaluatedItems' in schema ? 'unevaluatedItems' : undefined
  return { prefix, rest: closing ? document.child(node, closing) : document.anything }
}
