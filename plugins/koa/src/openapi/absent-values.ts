import type { Schema } from '../body/schema.js'

/**
 * The schema of a body with what stands for absent fields (`body/normalise.ts`): null where a field may be missing, and
 * "" where the schema says so.
 */
export const withAbsentValues = (schema: Schema): Schema => ({
  ...schema,
  ...(schema.items ? { items: withAbsentValues(schema.items) } : {}),
  ...(schema.properties ? { properties: propertiesOf(schema.properties, schema.required ?? []) } : {}),
})

const propertiesOf = (properties: Readonly<Record<string, Schema>>, required: readonly string[]) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const inner = withAbsentValues(property)
      return [
        name,
        required.includes(name) ? inner : nullable(property['x-empty-is-absent'] ? emptiable(inner) : inner),
      ]
    }),
  )

const nullable = (schema: Schema): Schema => ({
  ...schema,
  ...(schema.type === undefined ? {} : { type: [...new Set([schema.type, 'null'].flat())] }),
  ...(schema.enum ? { enum: [...new Set([...schema.enum, null])] } : {}),
})

const emptiable = (schema: Schema): Schema => ({
  ...schema,
  ...(schema.minLength === undefined ? {} : { minLength: 0 }),
  ...(schema.enum ? { enum: [...schema.enum, ''] } : {}),
})
