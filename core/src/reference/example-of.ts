import { failure } from '../errors/index.js'

/** A value that is valid against a simple JSON Schema; its texts say what is given. @throws unsupported */
export const exampleOf = (schema: unknown, text: string): unknown => {
  if (typeof schema !== 'object' || schema === null) return {}
  const { type = 'object', properties = {}, enum: values, ...rest } = schema as SimpleSchema
  if ('const' in rest) return rest.const
  if (values?.length) return values[0]
  if (type === 'object') return exampleOfObject(properties, text)
  const example = { string: text, number: 1, integer: 1, boolean: true, array: [], null: null }[type]
  if (example === undefined)
    throw failure('unsupported', { problem: `this model cannot answer by a schema of type ${JSON.stringify(type)}` })
  return example
}

interface SimpleSchema {
  type?: 'object' | 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'null'
  properties?: Record<string, unknown>
  enum?: unknown[]
  const?: unknown
}

const exampleOfObject = (properties: Record<string, unknown>, text: string) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, exampleOf(schema, text)]))
