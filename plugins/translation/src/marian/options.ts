import type { OptionsSchema } from '@sallyport/core'

/** Settings of the beam search. */
export interface SearchSettings {
  readonly beams: number
  readonly lengthPenalty: number
  readonly batch: number
}

/** Options of one model, under `models.<id>.options`; the schema says what each is. */
export interface MarianOptions extends SearchSettings {
  readonly encoder: string
  readonly decoder: string
  readonly sources: readonly string[]
  readonly targets: readonly string[]
  readonly prefixes: Readonly<Record<string, string>>
}

const languages = { type: 'array', minItems: 1, items: { type: 'string', minLength: 2 } } as const

export const searchProperties = {
  beams: {
    type: 'integer',
    minimum: 1,
    maximum: 16,
    default: 4,
    description: 'Translations that are followed side by side. 1 is fastest: always the most probable token.',
  },
  lengthPenalty: {
    type: 'number',
    minimum: 0,
    maximum: 4,
    default: 1,
    description: 'Above 1, longer translations are preferred; below, shorter ones.',
  },
  batch: {
    type: 'integer',
    minimum: 1,
    maximum: 64,
    default: 8,
    description: 'Sentences of a text that are translated at the same time.',
  },
} as const

export const marianOptionsSchema: OptionsSchema = {
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
        'Of a model of several target languages: the token before a text, by target (de: ">>deu<<"). Default: as the ' +
        'vocabulary has them.',
    },
    ...searchProperties,
  },
}
