import type { OptionsOf, OptionsSchema } from '@sallyport/core'
import { calibrationSchema, labelsSchema, logitSchema, ownModel, unmeasured, windowSchema } from '../option-schemas.js'

export const toxicitySchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    model: {
      type: 'string',
      default: ownModel,
      description:
        'Model with text-classification, one of whose labels is for toxic texts, or the source of one: ' +
        '`hf:owner/repository`, or a folder.',
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
      description:
        'Where the score is 0.5, in logits: higher means fewer false alarms. Default: 1.5, which was measured ' +
        `(README.md). ${unmeasured}`,
    },
    calibration: calibrationSchema,
    window: windowSchema,
  },
} as const satisfies OptionsSchema

/** Under `models.<id>.options`. */
export type ToxicityOptions = OptionsOf<typeof toxicitySchema>

/** @param isOwn whether the model is `guard` */
export const withDefaults = (options: ToxicityOptions, isOwn: boolean) => ({
  ...options,
  operatingPoint: options.operatingPoint ?? (isOwn ? 1.5 : 0),
})

/** Options without gaps. */
export type ToxicitySettings = ReturnType<typeof withDefaults>
