import type { OptionsSchema } from '@sallyport/core'

/** Options of one model, under `models.<id>.options`. */
export interface VisionBridgeOptions {
  /** The model with chat that answers. */
  readonly chat: string
  /** The model with image-classification that says what an image shows. */
  readonly classifier: string
  /** The probability from which on a label is used. */
  readonly threshold: number
}

export const optionsSchema: OptionsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['chat'],
  properties: {
    chat: { type: 'string', description: 'Model with chat that answers; it need not take pictures.' },
    classifier: {
      type: 'string',
      default: 'efficientnet-lite0',
      description: 'Model with image-classification that says what a picture shows.',
    },
    threshold: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 1,
      default: 0.5,
      description: 'How probable a label must be to count. Below 0.5, many are wrong.',
    },
  },
}
