import { embedding } from '@sallyport/core'
import type { BackendDefinition, ModelSpec } from '@sallyport/core'
import { ImageTagsBackend, partsOf } from './backend.js'
import type { ImageTagsOptions } from './backend.js'

export const imageTagsBackend: BackendDefinition = {
  description: 'Vectors of pictures in the space of a text model, through the names of what they show.',
  options: {
    type: 'object',
    additionalProperties: false,
    properties: {
      classifier: {
        type: 'string',
        default: 'efficientnet-lite0',
        description: 'Model with image-classification that names what a picture shows.',
      },
      texts: {
        type: 'string',
        default: 'all-minilm-l6-v2',
        description: 'Model with embedding that gives texts, and the names, their vectors.',
      },
      top: {
        type: 'integer',
        minimum: 1,
        maximum: 1000,
        default: 10,
        description: 'How many names of a picture count.',
      },
    },
  },
  capabilities: [embedding],
  class: ImageTagsBackend,
  files: 'none',
  check: (model, kernel) => void partsOf(model as ModelSpec<ImageTagsOptions>, kernel),
}
