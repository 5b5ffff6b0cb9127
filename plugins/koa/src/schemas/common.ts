import type { Schema } from './schema.js'

/** A text that a person or a model wrote. */
export const text = { type: 'string', 'x-text': true } as const

export const nonEmptyText = { ...text, minLength: 1 } as const

export const count: Schema = { type: 'integer' }
export const score: Schema = { type: 'number', minimum: 0, maximum: 1 }

/** Marks a string that is not text, with the reason. */
export const opaque = <const S extends Schema = { readonly type: 'string' }>(reason: string, schema?: S) =>
  ({ ...(schema ?? { type: 'string' }), 'x-opaque': reason }) as S & { readonly 'x-opaque': string }

/** The name of a model in answers. */
export const servedModel = opaque('the id of a model, from the configuration')

export const modelName = {
  ...opaque('must equal the name of a model'),
  minLength: 1,
  maxLength: 256,
  description: 'id or alias of a model; GET the same path for those there are',
  'x-allowed': 'the name of a model (a string of 1 to 256 characters)',
} as const

/** The name of a model, on a path that answers no GET with the models that it can name. */
export const modelNameOf = (capability: string) => ({
  ...modelName,
  description: `id or alias of a model; GET /models/${capability} for those there are`,
})

export const oneOrManyTexts = (max: number) =>
  ({
    ...nonEmptyText,
    type: ['string', 'array'],
    minItems: 1,
    maxItems: max,
    items: nonEmptyText,
    'x-allowed': `a non-empty string or an array of 1 to ${max} non-empty strings`,
  }) as const

/** The fields with which every answer begins. */
export const envelopeFields = (object: string, model = true): Readonly<Record<string, Schema>> => ({
  id: opaque('made by the server'),
  object: { type: 'string', enum: [object] },
  created: { type: 'integer', description: 'Unix seconds' },
  ...(model ? { model: servedModel } : {}),
})

export const objectOf = <
  const Properties extends Readonly<Record<string, Schema>>,
  const Optional extends string = never,
>(
  properties: Properties,
  optional: readonly Optional[] = [],
) => {
  const others: readonly string[] = optional
  const required = Object.keys(properties).filter((name) => !others.includes(name))
  return { type: 'object', required: required as Exclude<keyof Properties & string, Optional>[], properties } as const
}

export const listOf = <const Item extends Schema>(items: Item) => ({ type: 'array', items }) as const

export const listingDate: Schema = {
  ...opaque('a date', { type: ['integer', 'string'] }),
  description: 'Unix seconds, or RFC 3339 text with listing_dates: rfc3339',
}

export const calledToolName = opaque('the name of a tool of the request, which the kernel enforces')
