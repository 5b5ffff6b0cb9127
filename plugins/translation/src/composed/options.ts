import type { OptionsSchema } from '@sallyport/core'

/** The engines for some pairs. */
export interface EngineOrder {
  readonly source?: string
  readonly target?: string
  readonly engines: readonly string[]
}

/** Options of one model, under `models.<id>.options`; the schema says what each is. */
export interface TranslationOptions {
  readonly engines: readonly string[]
  readonly order: readonly EngineOrder[]
  readonly threshold: number
  readonly vectors?: string
}

const engines = { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string' } } as const
const language = { type: 'string', minLength: 2 } as const

export const optionsSchema: OptionsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['engines'],
  properties: {
    engines: { ...engines, description: 'Models with translation, in the order in which they are asked.' },
    order: {
      type: 'array',
      default: [],
      description: 'Other orders, of some pairs; the first that fits a pair holds.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['engines'],
        properties: {
          source: { ...language, description: 'BCP-47 tag; any language when absent.' },
          target: { ...language, description: 'BCP-47 tag; any language when absent.' },
          engines: { ...engines, description: 'Some of the engines above; others are not asked for such a pair.' },
        },
      },
    },
    threshold: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: 0.5,
      description: 'Sanity score from which on a translation passes; below, it is vetoed and the next engine is asked.',
    },
    vectors: {
      type: 'string',
      description: 'Multilingual model with embedding: the score then compares what both texts mean, too.',
    },
  },
}
