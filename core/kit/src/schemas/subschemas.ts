import { isList, isRecord } from '../json/data.js'
import type { JsonSchema } from './json-schema.js'

/** Keywords that apply their schemas to the same value as the schema that holds them. */
const inPlaceLists = ['allOf', 'anyOf', 'oneOf']
const inPlaceSingle = ['if', 'then', 'else', 'not']
const inPlaceMaps = ['dependentSchemas']
const lists = [...inPlaceLists, 'prefixItems']
const single = [
  ...inPlaceSingle,
  ...['items', 'contains', 'additionalProperties', 'propertyNames', 'unevaluatedItems', 'unevaluatedProperties'],
]
const maps = [...inPlaceMaps, 'properties', 'patternProperties', '$defs', 'definitions']

/** Keywords that, beside `properties`, may allow keys of an object. */
export const inPlaceKeywords: ReadonlySet<string> = new Set([...inPlaceLists, ...inPlaceSingle, ...inPlaceMaps])

/**
 * The schema with each schema directly inside it replaced. Booleans as schemas stay.
 * @param change is told the keyword that holds the schema and, where that is a map, under which key
 * @throws Error where a keyword holds no schema
 */
export const mapSubschemas = (
  schema: JsonSchema,
  change: (child: JsonSchema, keyword: string, key?: string) => JsonSchema,
): JsonSchema => {
  const changeOne = (value: unknown, keyword: string, key?: string) => {
    if (isRecord(value)) return change(value, keyword, key)
    if (typeof value === 'boolean') return value
    throw new Error(`"${keyword}" holds ${JSON.stringify(value)} where a schema must be`)
  }
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (single.includes(keyword)) return [keyword, changeOne(value, keyword)]
    if (lists.includes(keyword) && isList(value)) return [keyword, value.map((each) => changeOne(each, keyword))]
    if (!maps.includes(keyword) || !isRecord(value)) return [keyword, value]
    return [
      keyword,
      Object.fromEntries(Object.entries(value).map(([key, each]) => [key, changeOne(each, keyword, key)])),
    ]
  })
  return Object.fromEntries(entries)
}

/** The schemas directly inside, which apply to the same value. */
export const inPlaceSubschemas = (schema: JsonSchema): readonly JsonSchema[] => {
  const found: JsonSchema[] = []
  mapSubschemas(schema, (child, keyword) => {
    if (inPlaceKeywords.has(keyword)) found.push(child)
    return child
  })
  return found
}
