import type { OptionsOf, OptionsSchema } from '@sallyport/core'

export const chatOptionsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['chat'],
  properties: {
    chat: { type: 'string', description: 'Model with chat that translates; from about 1.5 billion parameters on.' },
    minParameters: {
      type: 'integer',
      minimum: 0,
      default: 0,
      description:
        'Weights that the chat model must have: a smaller one is not asked, where its backend says how many it has.',
    },
    languages: {
      type: 'array',
      minItems: 2,
      items: { type: 'string', minLength: 2 },
      default: ['en', 'de', 'es', 'fr', 'it', 'pt'],
      description: 'BCP-47 tags of the languages that the model knows: from each of them to each other.',
    },
    parallel: { type: 'integer', minimum: 1, maximum: 64, default: 4, description: 'Parts of a text at a time.' },
    longest: {
      type: 'integer',
      minimum: 40,
      maximum: 8000,
      default: 500,
      description: 'Characters of a part: sentences of a line are translated together up to this.',
    },
  },
} as const satisfies OptionsSchema

/** Options of one model, under `models.<id>.options`. */
export type ChatTranslationOptions = OptionsOf<typeof chatOptionsSchema>
