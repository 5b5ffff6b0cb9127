import type { OptionsSchema } from '@sallyport/core'
import { logitSchema as logit } from '../option-schemas.js'

/** Under `models.<id>.options`. */
export interface FactualityOptions {
  /** Logits of support at which the score is 0.5. */
  readonly operatingPoint: {
    /** For a reference of one sentence. */
    readonly short: number
    /** What is added with each doubling of its sentences: in a long one much is worded otherwise. */
    readonly perDoubling: number
  }
}

export const factualitySchema: OptionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    operatingPoint: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'Support at which the score is 0.5, in logits: lower means fewer false alarms.',
      properties: {
        short: { ...logit, default: -0.3, description: 'For a reference of one sentence.' },
        perDoubling: { ...logit, default: -0.6, description: 'Added with each doubling of its sentences.' },
      },
    },
  },
}
