const size = { type: 'integer', minimum: 8, maximum: 4096 } as const

/** The schema of the option `window`: how texts are cut for a model. */
export const windowSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['length', 'stride'],
  default: { length: 126, stride: 96 },
  description:
    'Length of the windows that the model reads, and the distance between their beginnings (not their overlap, as in ' +
    'the tokenizers of Hugging Face), in subwords.',
  properties: { length: size, stride: size },
} as const

export const logitSchema = { type: 'number', minimum: -20, maximum: 20 } as const

/** The model that this package brings. What was measured with it holds for no other. */
export const ownModel = 'guard'

export const unmeasured = 'Default for any other model: 0.'

/** The schema of the option `calibration`, as `sallyport guard calibrate` prints it. */
export const calibrationSchema = {
  type: 'object',
  additionalProperties: false,
  default: {},
  description:
    'Makes the score a probability: the logit of the classifiers, less the operating point, becomes scale × logit + ' +
    'offset, before rules add to it. `sallyport guard calibrate` fits both.',
  properties: {
    scale: { type: 'number', exclusiveMinimum: 0, maximum: 100, default: 1 },
    offset: { type: 'number', minimum: -100, maximum: 100, default: 0 },
  },
} as const

/** The schema of the option `labels`: the labels of a model. */
export const labelsSchema = <const Properties extends object>(properties: Properties) =>
  ({
    type: 'object',
    additionalProperties: false,
    default: {},
    description: 'Labels of the model; the defaults are those of `guard`.',
    properties,
  }) as const
