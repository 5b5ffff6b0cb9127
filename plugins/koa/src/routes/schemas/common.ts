import type { Schema } from '../../body/schema.js'

export const modelName: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 256,
  description: 'id or alias of a model; GET the same path for those there are',
  'x-allowed': 'the name of a model (a string of 1 to 256 characters)',
}

export const nonEmptyString: Schema = { type: 'string', minLength: 1 }

/** One text or several. */
export const oneOrManyTexts = (most: number): Schema => ({
  type: ['string', 'array'],
  minLength: 1,
  minItems: 1,
  maxItems: most,
  items: nonEmptyString,
  'x-allowed': `a non-empty string or an array of 1 to ${most} non-empty strings`,
})

/** What every answer begins with. */
export const envelopeProperties = (object: string, model = true): Readonly<Record<string, Schema>> => ({
  id: { type: 'string' },
  object: { type: 'string', enum: [object] },
  created: { type: 'integer', description: 'Unix seconds' },
  ...(model ? { model: { type: 'string' } } : {}),
})

export const answer = (properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
})

export const listOf = (items: Schema): Schema => ({ type: 'array', items })

/** Ids of models, for clients that check a connection. */
export const modelIds: Schema = listOf({ type: 'string' })
