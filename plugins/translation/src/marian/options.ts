import type { OptionsOf, OptionsSchema } from '@sallyport/core'

const languages = { type: 'array', minItems: 1, items: { type: 'string', minLength: 2 } } as const

/** Options of the beam search. */
export const searchProperties = {
  beams: {
    type: 'integer',
    minimum: 1,
    maximum: 16,
    default: 4,
    description: 'Translations that are searched side by side. 1 is fastest: always the most probable token.',
  },
  lengthPenalty: {
    type: 'number',
    minimum: 0,
    maximum: 4,
    default: 1,
    description: 'Above 1, longer translations are preferred; below, shorter ones.',
  },
  batch: { type: 'integer', minimum: 1, maximum: 64, default: 8, description: 'Sentences of a text at the same time.' },
} as const

export const marianOptionsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['encoder', 'decoder', 'sources', 'targets'],
  properties: {
    encoder: { type: 'string', description: 'Model with inference: encoder_model.onnx.' },
    decoder: { type: 'string', description: 'Model with inference: decoder_model_merged.onnx.' },
    sources: { ...languages, description: 'BCP-47 tags of the languages that it translates from.' },
    targets: { ...languages, description: 'BCP-47 tags of the languages that it translates to.' },
    prefixes: {
      type: 'object',
      default: {},
      additionalProperties: { type: 'string' },
      description:
        'For a model of several target languages: the token before a text, by target (de: ">>deu<<"). Default: as in ' +
        'the vocabulary.',
    },
    ...searchProperties,
  },
} as const satisfies OptionsSchema

/** Options of one model, under `models.<id>.options`. */
export type MarianOptions = OptionsOf<typeof marianOptionsSchema>
