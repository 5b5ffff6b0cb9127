import type { OptionsSchema } from '@sallyport/core'

/** Of one model, under `models.<id>.options`. */
export interface VisionBridgeOptions {
  /** Model with chat that answers. */
  readonly chat: string
  /** Model with image-classification that says what an image shows. */
  readonly classifier: string
  /** How probable a label must be to count. */
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
