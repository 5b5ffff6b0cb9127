import type { OptionsSchema } from '@sallyport/core'
import { labelsSchema, logitSchema, windowSchema } from '../option-schemas.js'

/** Under `models.<id>.options`. */
export interface ToxicityOptions {
  /** Model with text-classification. */
  readonly model: string
  readonly labels: {
    readonly toxic: string
    /** Labels that explain a toxic text, and what they are called for a person. They never decide. */
    readonly categories: Readonly<Record<string, string>>
  }
  /** Logit at which the score is 0.5. */
  readonly operatingPoint: number
  readonly window: { readonly length: number; readonly stride: number }
}

export const toxicitySchema: OptionsSchema = {
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
        description: 'Labels that explain a toxic text, with what they are called for a person. They never decide.',
      },
    }),
    operatingPoint: {
      ...logitSchema,
      default: 2.5,
      description: 'Where the score is 0.5, in logits: higher means fewer false alarms. Measured values: README.md.',
    },
    window: windowSchema,
  },
}
