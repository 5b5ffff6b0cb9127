import type { SchemaDocument } from '../document.js'
import { isObject } from '../keywords.js'
import type { JsonObject } from '../keywords.js'
import type { SchemaNode } from '../node.js'
import type { Patterns } from '../patterns.js'
import { noCount } from '../variant.js'
import type { ObjectLayer, ObjectVariant } from '../variant.js'
import { checkPattern } from './check-pattern.js'
import { isAlone, unevaluated } from './unevaluated.js'

export const objectsOf = (
  node: SchemaNode,
  schema: JsonObject,
  document: SchemaDocument,
  patterns: Patterns,
): ObjectVariant => {
  const {
    required,
    minProperties,
    maxProperties,
    patternProperties = {},
    dependentRequired,
    dependentSchemas,
    dependencies,
  } = schema
  const sources = Object.keys(patternProperties as JsonObject)
  sources.forEach((source) => checkPattern(source, node, document))
  const held = sources.every((source) => patterns.automaton(source) !== undefined)
  const layer = layerOf(node, schema, document, held ? sources : [])
  const isNeeded =
    'properties' in schema || layer.patterns.length > 0 || layer.additional.schema !== true || layer.opens
  return {
    type: 'object',
    layers: isNeeded ? [layer] : [],
    required: new Set(Array.isArray(required) ? (required as string[]) : []),
    names: schema['propertyNames'] === undefined ? [] : [document.child(node, 'propertyNames')],
    least:
      typeof minProperties === 'number' && minProperties > 0
        ? { value: minProperties, origin: { keyword: 'minProperties', node } }
        : noCount.least,
    most:
      typeof maxProperties === 'number'
        ? { value: maxProperties, origin: { keyword: 'maxProperties', node } }
        : noCount.most,
    unheld: [
      ...(held ? [] : [{ keyword: 'patternProperties', node }]),
      ...Object.entries({ dependentRequired, dependentSchemas, dependencies })
        .filter(([, value]) => isObject(value) && Object.keys(value).length > 0)
        .map(([keyword]) => ({ keyword, node })),
      ...unevaluated(node, schema, 'unevaluatedProperties', 'additionalProperties'),
    ],
  }
}

const layerOf = (
  node: SchemaNode,
  schema: JsonObject,
  document: SchemaDocument,
  sources: readonly string[],
): ObjectLayer => {
  const names = isObject(schema['properties']) ? Object.keys(schema['properties']) : []
  const closing = ['additionalProperties', ...(isAlone(schema) ? ['unevaluatedProperties'] : [])].find(
    (name) => name in schema,
  )
  const isSilent = ['additionalProperties', 'unevaluatedProperties', 'patternProperties'].every(
    (name) => !(name in schema),
  )
  const additional = closing === undefined ? document.anything : document.child(node, closing)
  return {
    id: String(node.id),
    properties: new Map(names.map((name) => [name, document.child(node, 'properties', name)])),
    patterns: sources.map((source) => ({ source, value: document.child(node, 'patternProperties', source) })),
    additional,
    declares: isObject(schema['properties']) && isSilent,
    opens: closing !== undefined && additional.schema !== false,
  }
}
