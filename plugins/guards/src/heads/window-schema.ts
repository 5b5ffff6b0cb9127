const size = { type: 'integer', minimum: 8, maximum: 4096 } as const

/** Of the option that says how long texts are cut for a model. */
export const windowSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['length', 'stride'],
  default: { length: 62, stride: 56 },
  description: 'How long texts are cut for the model, and how far the next part begins, in pieces of words.',
  properties: { length: size, stride: size },
} as const
