import { stat } from 'node:fs/promises'
import { imageClassification } from '@sallyport/core'
import type { BackendDefinition } from '@sallyport/core'
import { EfficientNetBackend } from './backend.js'

/** Of one evaluation and of the picture that is decoded meanwhile, measured. */
const computeBytes = 100 * 2 ** 20

export const efficientNetBackend: BackendDefinition = {
  description: 'EfficientNet-Lite0 from its weights of PyTorch: says which of 1,000 kinds of object a picture shows.',
  options: {
    type: 'object',
    additionalProperties: false,
    properties: {
      threads: {
        type: 'integer',
        minimum: 1,
        maximum: 1024,
        description: 'Default: the physical cores that the process may use.',
      },
    },
  },
  capabilities: [imageClassification],
  class: EfficientNetBackend,
  files: {
    model: { names: ['efficientnet-lite0-57934424.pth', 'efficientnet-lite0.pth'] },
    'classes.json': { names: ['classes.json', 'imagenet1k_clean_names.json'] },
  },
  formats: ['.pth'],
  isolation: {},
  estimate: async ({ files }) => ({
    weights: files['model'] === undefined ? 0 : (await stat(files['model'])).size,
    cache: 0,
    compute: computeBytes,
  }),
}
