import type { OptionsOf, OptionsSchema } from '@sallyport/core'
import { searchProperties } from '../marian/options.js'

const language = { type: 'string', minLength: 2 } as const
const file = (name: string) => ({ type: 'string', minLength: 1, default: name }) as const

export const marianPairsOptionsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['pairs'],
  properties: {
    repository: {
      type: 'string',
      pattern: '\\{source\\}.*\\{target\\}|\\{target\\}.*\\{source\\}',
      title: 'a string with {source} and {target} in it',
      default: 'hf:Xenova/opus-mt-{source}-{target}',
      description: 'Where the files of a pair are: a repository of the Hugging Face Hub, or a folder.',
    },
    pairs: {
      type: 'array',
      minItems: 1,
      description: 'The pairs that may be fetched and translated: each is a model of its own.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['source', 'target'],
        properties: {
          source: { ...language, description: 'BCP-47 tag, as in the name of the repository.' },
          target: { ...language, description: 'BCP-47 tag, as in the name of the repository.' },
        },
      },
    },
    encoder: { ...file('onnx/encoder_model.onnx'), description: 'Path of the encoder in the repository.' },
    decoder: { ...file('onnx/decoder_model_merged.onnx'), description: 'Path of the decoder in the repository.' },
    loaded: {
      type: 'integer',
      minimum: 1,
      default: 2,
      description:
        'Pairs in memory at a time. Another one replaces the least recently used; where all are in use, it waits.',
    },
    ...searchProperties,
  },
} as const satisfies OptionsSchema

/** Options of one model, under `models.<id>.options`. */
export type MarianPairsOptions = OptionsOf<typeof marianPairsOptionsSchema>
