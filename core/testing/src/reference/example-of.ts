import { failure } from '@sallyport/core'

const supportedKeywords = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const'],
  ...['title', 'description', 'default', 'examples', '$schema'],
])

const constants = new Map<unknown, unknown>([
  ['number', 1],
  ['integer', 1],
  ['boolean', true],
  ['array', []],
  ['null', null],
])

/**
 * A value that is valid against a simple JSON Schema; its strings are the text.
 * @throws unsupported, invalid_request
 */
export const exampleOf = (schema: unknown, text: string): unknown => {
  if (schema === false) throw refusal('a part that no value fits')
  if (typeof schema !== 'object' || schema === null) return {}
  const unsupportedKeyword = Object.keys(schema).find((keyword) => !supportedKeywords.has(keyword))
  if (unsupportedKeyword !== undefined) throw refusal(`the keyword ${JSON.stringify(unsupportedKeyword)}`)
  const { type = 'object', properties, required, enum: values, ...rest } = schema as SimpleSchema
  if ('const' in rest) return rest.const
  if (values !== undefined) return firstOf(values)
  if (type === 'object') {
    const names = new Set([...Object.keys(properties ?? {}), ...(Array.isArray(required) ? required.map(String) : [])])
    return Object.fromEntries(Array.from(names, (name) => [name, exampleOf(properties?.[name], text)]))
  }
  if (type === 'string') return text
  if (!constants.has(type)) throw refusal(`the type ${JSON.stringify(type)}`)
  return structuredClone(constants.get(type))
}

interface SimpleSchema {
  type?: unknown
  properties?: Record<string, unknown> | null
  required?: unknown
  enum?: unknown
  const?: unknown
}

/** The first value; none is valid against an empty `enum`. */
const firstOf = (values: unknown): unknown => {
  if (Array.isArray(values) && values.length) return values[0] as unknown
  throw failure('invalid_request', { problem: 'the schema is wrong: "enum" must be a list of at least one value' })
}

const refusal = (problem: string) =>
  failure('unsupported', { problem: `this model cannot answer by a schema with ${problem}` })
