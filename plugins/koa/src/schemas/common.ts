import type { Schema } from './schema.js'

/** A text that a person or a model wrote. */
export const text: Schema = { type: 'string', 'x-text': true }

export const nonEmptyText: Schema = { ...text, minLength: 1 }

export const count: Schema = { type: 'integer' }
export const score: Schema = { type: 'number', minimum: 0, maximum: 1 }

/** Marks a string that is not text, with the reason. */
export const opaque = (reason: string, schema: Schema = { type: 'string' }): Schema => ({
  ...schema,
  'x-opaque': reason,
})

/** The name of a model in answers. */
export const servedModel = opaque('the id of a model, from the configuration')

export const modelName: Schema = {
  ...opaque('must equal the name of a model'),
  minLength: 1,
  maxLength: 256,
  description: 'id or alias of a model; GET the same path for those there are',
  'x-allowed': 'the name of a model (a string of 1 to 256 characters)',
}

/** The name of a model, on a path that answers no GET with the models that it can name. */
export const modelNameOf = (capability: string): Schema => ({
  ...{ ...modelName, description: `id or alias of a model; GET /models/${capability} for those there are` },
})

export const oneOrManyTexts = (max: number): Schema => ({
  ...nonEmptyText,
  type: ['string', 'array'],
  minItems: 1,
  maxItems: max,
  items: nonEmptyText,
  'x-allowed': `a non-empty string or an array of 1 to ${max} non-empty strings`,
})

/** The fields with which every answer begins. */
export const envelopeFields = (object: string, model = true): Readonly<Record<string, Schema>> => ({
  id: opaque('made by the server'),
  object: { type: 'string', enum: [object] },
  created: { type: 'integer', description: 'Unix seconds' },
  ...(model ? { model: servedModel } : {}),
})

export const objectOf = (properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
})

export const listOf = (items: Schema): Schema => ({ type: 'array', items })

export const listingDate: Schema = {
  ...opaque('a date', { type: ['integer', 'string'] }),
  description: 'Unix seconds, or RFC 3339 text with listing_dates: rfc3339',
}

export const calledToolName = opaque('the name of a tool of the request, which the kernel enforces')
