import type { OptionsSchema } from '@sallyport/core'

/** Of one model, under `models.<id>.options`. */
export interface TopicsModelOptions {
  /** Model with embedding by which texts are compared with examples. */
  readonly embedding: string
}

export const optionsSchema: OptionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    embedding: {
      type: 'string',
      default: 'all-minilm-l6-v2',
      description: 'Model with embedding by which texts are compared with examples.',
    },
  },
}
