/** Brings the schema of a plugin's options into the form that is compiled and published. */

import { isDeepStrictEqual } from 'node:util'
import { isList, isRecord } from '../json/data.js'
import type { JsonSchema } from './json-schema.js'
import { inPlaceKeywords, mapSubschemas } from './subschemas.js'

/**
 * Inlines references, merges `allOf`, and lets objects refuse unknown keys unless the schema says otherwise.
 * @throws Error that says what is not supported
 */
export const normaliseOptionsSchema = (schema: JsonSchema | undefined): JsonSchema => {
  const root: JsonSchema = { type: 'object', properties: {}, ...schema }
  const inlined = Object.entries(inline(root, root, [])).filter(([keyword]) => !documentKeywords.includes(keyword))
  return close(Object.fromEntries(inlined))
}

/** Keywords that have a meaning only at the top of a document. */
const documentKeywords = ['$defs', 'definitions', '$schema', '$id']

const inline = (schema: JsonSchema, root: JsonSchema, enclosing: readonly string[]): JsonSchema => {
  const { $ref, ...own } = schema
  if (typeof $ref !== 'string')
    return mapSubschemas(schema, (child, keyword) =>
      keyword === '$defs' || keyword === 'definitions' ? child : inline(child, root, enclosing),
    )
  if (enclosing.includes($ref)) throw new Error(`${$ref} refers to itself`)
  return inline(merge(own, resolveReference($ref, root)), root, [...enclosing, $ref])
}

const resolveReference = (reference: string, root: JsonSchema): JsonSchema => {
  const keys = reference.replace(/^#\//, '').split('/')
  const found = keys.reduce<unknown>((value, key) => {
    const name = decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
    return isRecord(value) || isList(value) ? (value as Record<string, unknown>)[name] : undefined
  }, root)
  if (!reference.startsWith('#/') || !isRecord(found)) throw new Error(`${reference} refers to nothing in the schema`)
  return found
}

const otherKeysKeywords = ['additionalProperties', 'unevaluatedProperties', 'patternProperties']

const close = (schema: JsonSchema): JsonSchema => {
  const merged = mergeAll(schema)
  const isObject = isRecord(merged.properties)
  const result = mapSubschemas(merged, (child, keyword) =>
    staysOpen(keyword) || (isObject && inPlaceKeywords.has(keyword)) ? open(child) : close(child),
  )
  if (!isObject || otherKeysKeywords.some((keyword) => keyword in result)) return result
  const alsoElsewhere = [...inPlaceKeywords].some((keyword) => keyword in result)
  return { ...result, [alsoElsewhere ? 'unevaluatedProperties' : 'additionalProperties']: false }
}

/** Conditions stay open: to close them would change which values meet them. */
const staysOpen = (keyword: string) => ['if', 'not', 'contains', 'propertyNames'].includes(keyword)

/** Leaves a part of a schema open whose other parts may know more keys. */
const open = (schema: JsonSchema): JsonSchema =>
  mapSubschemas(schema, (child, keyword) =>
    staysOpen(keyword) || inPlaceKeywords.has(keyword) ? open(child) : close(child),
  )

/** Merges the members of `allOf` into the schema; what cannot be merged stays there. */
const mergeAll = (schema: JsonSchema): JsonSchema => {
  if (!isList(schema.allOf)) return schema
  const { allOf, ...own } = schema
  const members = allOf.filter(isRecord).map(mergeAll)
  return members.reduce(merge, own)
}

const merge = (target: JsonSchema, member: JsonSchema): JsonSchema => {
  const result: Record<string, unknown> = { ...target }
  const rest: Record<string, unknown> = {}
  const conditional = [...inPlaceKeywords].some((keyword) => keyword in member)
  for (const [keyword, value] of Object.entries(conditional ? {} : member)) {
    const own = result[keyword]
    if (keyword === 'properties') result.properties = mergeProperties(own, value)
    else if (keyword === 'required') result.required = [...new Set([...asList(own), ...asList(value)])]
    else if (!(keyword in result)) result[keyword] = value
    else if (!annotations.includes(keyword) && !isDeepStrictEqual(own, value)) rest[keyword] = value
  }
  const left = conditional ? member : rest
  if (Object.keys(left).length) result.allOf = [...asList(result.allOf), left]
  return result
}

const annotations = ['title', 'description', 'default', 'examples']

const asList = (value: unknown): readonly unknown[] => (isList(value) ? value : [])

const mergeProperties = (first: unknown, second: unknown): JsonSchema => {
  const result: Record<string, unknown> = { ...(isRecord(first) ? first : {}) }
  for (const [name, schema] of Object.entries(isRecord(second) ? second : {})) {
    const own = result[name]
    result[name] = isRecord(own) ? mergeAll({ ...own, allOf: [...asList(own.allOf), schema] }) : schema
  }
  return result
}
