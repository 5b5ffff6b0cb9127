import type { OptionsOf, OptionsSchema } from '@sallyport/core'
import { labelsSchema, logitSchema, windowSchema } from '../option-schemas.js'

export const toxicitySchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    model: {
      type: 'string',
      default: 'guard',
      description: 'Model with text-classification, one of whose labels is for toxic texts.',
    },
    labels: labelsSchema({
      toxic: { type: 'string', default: 'toxicity' },
      categories: {
        type: 'object',
        additionalProperties: { type: 'string' },
        default: {
          hate: 'hatred of a group',
          harassment: 'harassment',
          'self-harm': 'self-harm',
          sexual: 'sexual content',
          violence: 'violence',
        },
        description: 'Labels that explain why a text is toxic, with their display names. They never decide.',
      },
    }),
    operatingPoint: {
      ...logitSchema,
      default: 2.5,
      description: 'Where the score is 0.5, in logits: higher means fewer false alarms. Measured values: README.md.',
    },
    window: windowSchema,
  },
} as const satisfies OptionsSchema

/** Under `models.<id>.options`. */
export type ToxicityOptions = OptionsOf<typeof toxicitySchema>
