import type { OptionsOf, OptionsSchema } from '@sallyport/core'

const engines = { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string' } } as const
const language = { type: 'string', minLength: 2 } as const

export const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['engines'],
  properties: {
    engines: { ...engines, description: 'Models with translation, in the order in which they are asked.' },
    order: {
      type: 'array',
      default: [],
      description: 'Other orders, for some pairs; the first that fits a pair applies.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['engines'],
        properties: {
          source: { ...language, description: 'BCP-47 tag; any language when absent.' },
          target: { ...language, description: 'BCP-47 tag; any language when absent.' },
          engines: {
            ...engines,
            description: 'Some of the engines of the option `engines`; others are not asked for such a pair.',
          },
        },
      },
    },
    threshold: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: 0.5,
      description:
        'The lowest sanity score that passes; below it, a translation is vetoed and the next engine is asked.',
    },
    vectors: {
      type: 'string',
      description: 'Multilingual model with embedding: the sanity score then also compares what both texts mean.',
    },
  },
} as const satisfies OptionsSchema

/** Options of one model, under `models.<id>.options`. */
export type TranslationOptions = OptionsOf<typeof optionsSchema>

/** The engines for some pairs. */
export type EngineOrder = TranslationOptions['order'][number]
