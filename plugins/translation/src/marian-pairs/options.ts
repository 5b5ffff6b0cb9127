import type { LanguagePair, OptionsSchema } from '@sallyport/core'
import { searchProperties } from '../marian/options.js'
import type { SearchSettings } from '../marian/options.js'

/** Options of one model, under `models.<id>.options`; the schema says what each is. */
export interface MarianPairsOptions extends SearchSettings {
  readonly repository: string
  readonly pairs: readonly LanguagePair[]
  readonly encoder: string
  readonly decoder: string
  readonly loaded: number
}

const language = { type: 'string', minLength: 2 } as const
const file = (name: string) => ({ type: 'string', minLength: 1, default: name }) as const

export const marianPairsOptionsSchema: OptionsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['pairs'],
  properties: {
    repository: {
      type: 'string',
      pattern: '\\{source\\}.*\\{target\\}|\\{target\\}.*\\{source\\}',
      title: 'a text with {source} and {target} in it',
      default: 'hf:Xenova/opus-mt-{source}-{target}',
      description: 'Where the files of a pair are: a repository of the hub, or a folder.',
    },
    pairs: {
      type: 'array',
      minItems: 1,
      description: 'What may be fetched and translated: each is a model of its own.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['source', 'target'],
        properties: {
          source: { ...language, description: 'BCP-47 tag, as the repository has it in its name.' },
          target: { ...language, description: 'BCP-47 tag, as the repository has it in its name.' },
        },
      },
    },
    encoder: { ...file('onnx/encoder_model.onnx'), description: 'Path of the encoder in it.' },
    decoder: { ...file('onnx/decoder_model_merged.onnx'), description: 'Path of the decoder in it.' },
    loaded: {
      type: 'integer',
      minimum: 1,
      default: 2,
      description:
        'Pairs in memory at a time. For another one, that goes which was not used for longest; where all are in use, it waits.',
    },
    ...searchProperties,
  },
}
