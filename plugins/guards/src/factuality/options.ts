import type { OptionsOf, OptionsSchema } from '@sallyport/core'
import { logitSchema as logit } from '../option-schemas.js'

export const factualitySchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    operatingPoint: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'Support at which the score is 0.5, in logits: lower means fewer false alarms.',
      properties: {
        short: { ...logit, default: -0.3, description: 'Operating point for a reference of one sentence.' },
        perDoubling: {
          ...logit,
          default: -0.6,
          description: 'Added each time the number of the reference’s sentences doubles.',
        },
      },
    },
  },
} as const satisfies OptionsSchema

/** Under `models.<id>.options`. */
export type FactualityOptions = OptionsOf<typeof factualitySchema>
