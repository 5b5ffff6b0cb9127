import type { OptionsOf, OptionsSchema } from '@sallyport/core'

export const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['chat'],
  properties: {
    chat: { type: 'string', description: 'Model with chat that answers; it need not take images.' },
    classifier: {
      type: 'string',
      default: 'efficientnet-lite0',
      description: 'Model with image-classification that labels the images of a conversation.',
    },
    threshold: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 1,
      default: 0.5,
      description: 'How probable a label must be to be used. Below 0.5, many are wrong.',
    },
  },
} as const satisfies OptionsSchema

/** Options of one model, under `models.<id>.options`. */
export type VisionBridgeOptions = OptionsOf<typeof optionsSchema>
