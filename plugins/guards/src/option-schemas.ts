const size = { type: 'integer', minimum: 8, maximum: 4096 } as const

/** The option that says how long texts are cut for a model. */
export const windowSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['length', 'stride'],
  default: { length: 62, stride: 56 },
  description: 'How long texts are cut for the model, and how far the next part begins, in pieces of words.',
  properties: { length: size, stride: size },
} as const

export const logitSchema = { type: 'number', minimum: -20, maximum: 20 } as const

/** The option that names the labels of a model. */
export const labelsSchema = <Properties extends object>(properties: Properties) =>
  ({
    type: 'object',
    additionalProperties: false,
    default: {},
    description: 'The model’s labels, where it is another one.',
    properties,
  }) as const
