import type { OptionsOf, OptionsSchema } from '@sallyport/core'
import { calibrationSchema, logitSchema as logit } from '../option-schemas.js'
import type { OperatingPoint } from './support-model.js'

/** The label by which a model of natural language inference says that a claim is supported, unless another is named. */
export const defaultLabel = 'entailment'

export const factualitySchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    model: {
      type: ['string', 'null'],
      description:
        'Model with text-classification: `claims`, or one that says whether one text follows from another (natural ' +
        'language inference), or the source of one: `hf:owner/repository`, or a folder. Without it, words are compared.',
    },
    labels: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'Labels of the model.',
      properties: {
        entailment: {
          type: 'string',
          default: defaultLabel,
          description: 'Label of a claim that follows from the reference.',
        },
      },
    },
    operatingPoint: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description:
        'Support at which the score is 0.5, in logits: lower means fewer false alarms. Default, measured (README.md): ' +
        '-0.3 and -0.6, with claims -1.5 and -0.3; with another model, 0.',
      properties: {
        short: { ...logit, description: 'Operating point for a reference of one sentence.' },
        perDoubling: {
          ...logit,
          description: 'Added each time the number of the reference’s sentences doubles, up to 8.',
        },
      },
    },
    calibration: calibrationSchema,
  },
} as const satisfies OptionsSchema

/** Under `models.<id>.options`. */
export type FactualityOptions = OptionsOf<typeof factualitySchema> & { readonly model?: string | null }

export const withDefaults = (options: FactualityOptions, operatingPoint: OperatingPoint) => ({
  ...options,
  operatingPoint: { ...operatingPoint, ...options.operatingPoint },
})

/** Options without gaps. */
export type FactualitySettings = ReturnType<typeof withDefaults>
