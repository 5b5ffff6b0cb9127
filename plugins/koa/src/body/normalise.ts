import { isRecord } from '@sallyport/kit/json'
import type { JsonObject } from './parse.js'
import type { Schema } from './schema.js'

/**
 * Takes out what counts as absent: `null` in a documented field, at any depth, and `""` where the schema says so.
 * Elements of arrays stay, and so does everything inside values whose fields are not documented (a JSON Schema).
 */
export const dropAbsent = (schema: Schema, value: unknown): void => {
  if (Array.isArray(value)) {
    if (schema.items) for (const item of value) dropAbsent(schema.items, item)
  } else if (isRecord(value) && schema.properties) dropAbsentFields(schema.properties, value)
}

const dropAbsentFields = (properties: Readonly<Record<string, Schema>>, value: JsonObject): void => {
  for (const key of Object.keys(value)) {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (!schema) continue
    const inner = value[key]
    if (inner === null || (inner === '' && schema['x-empty-is-absent'])) Reflect.deleteProperty(value, key)
    else dropAbsent(schema, inner)
  }
}
