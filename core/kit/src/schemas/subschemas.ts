/** Finds and replaces the schemas inside a schema. */

import { isList, isRecord } from '../json/data.js'
import type { JsonSchema } from './json-schema.js'

/** Keywords that apply their schemas to the same value as the schema that holds them. */
export const inPlaceKeywords: ReadonlySet<string> = new Set(
  'allOf anyOf oneOf if then else not dependentSchemas'.split(' '),
)

/** Keywords whose value is a schema, or a list of schemas. */
export const schemaKeywords: ReadonlySet<string> = new Set(
  'additionalItems additionalProperties allOf anyOf contains contentSchema else if items not oneOf prefixItems propertyNames then unevaluatedItems unevaluatedProperties'.split(
    ' ',
  ),
)

/** Keywords whose value has a schema for each of its keys. */
export const schemaMapKeywords: ReadonlySet<string> = new Set(
  '$defs definitions dependentSchemas patternProperties properties'.split(' '),
)

/**
 * The schema with each schema directly inside it replaced. Booleans as schemas stay.
 * @param change gets the keyword that holds the schema and, where its value is a map, the key
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
    if (schemaKeywords.has(keyword))
      return [keyword, isList(value) ? value.map((each) => changeOne(each, keyword)) : changeOne(value, keyword)]
    if (!schemaMapKeywords.has(keyword) || !isRecord(value)) return [keyword, value]
    const named = Object.entries(value).map(([key, each]) => [key, changeOne(each, keyword, key)])
    return [keyword, Object.fromEntries(named)]
  })
  return Object.fromEntries(entries)
}

/** The schemas directly inside that apply to the same value. */
export const inPlaceSubschemas = (schema: JsonSchema): readonly JsonSchema[] => {
  const found: JsonSchema[] = []
  mapSubschemas(schema, (child, keyword) => {
    if (inPlaceKeywords.has(keyword)) found.push(child)
    return child
  })
  return found
}
