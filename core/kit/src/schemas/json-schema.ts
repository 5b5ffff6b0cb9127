/**
 * A JSON Schema as an object; `true` and `false` are not used. The keyword `short` is our own: it describes a
 * short form, which is expanded before anything is validated, and published as an alternative.
 */
export type JsonSchema = Readonly<Record<string, unknown>>

export const text = (description: string, more: JsonSchema = {}): JsonSchema => ({
  description,
  type: 'string',
  minLength: 1,
  ...more,
})

export const record = (description: string, properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  description,
  type: 'object',
  additionalProperties: false,
  properties,
  ...more,
})

/** Requires the keys of at least one of several sets. */
export const requiring = (sets: readonly (readonly string[])[]): JsonSchema => {
  const [first, ...others] = sets.map((required) => ({ required }))
  return others.length ? { anyOf: [first, ...others] } : { ...first }
}
