import type { OptionsSchema } from '@sallyport/core'

/** How translations are looked for. */
export interface SearchSettings {
  /** Translations that are followed side by side; 1 takes the most probable token each time. */
  readonly beams: number
  /** Above 1, longer translations are preferred; below, shorter ones. */
  readonly lengthPenalty: number
  /** Sentences that are translated at the same time. */
  readonly batch: number
}

/** Of one model, under `models.<id>.options`. */
export interface MarianOptions extends SearchSettings {
  /** Models with inference: the two graphs. */
  readonly encoder: string
  readonly decoder: string
  /** BCP-47. */
  readonly sources: readonly string[]
  readonly targets: readonly string[]
  /** What stands before a text in a model of several target languages, by target. Default: found in the vocabulary. */
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
