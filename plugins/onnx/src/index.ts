import {
  definePlugin,
  embedding,
  inference,
  rerank,
  textClassification,
  tokenClassification,
  tokens,
} from '@sallyport/core'
import { OnnxBackend } from './backend.js'
import { estimate } from './estimate.js'
import { fileNames } from './files/file-names.js'
import { efficientNetBackend } from './image-classification/definition.js'
import { imageTagsBackend } from './image-tags/definition.js'
import { optionsSchema } from './options.js'

export type { OnnxOptions } from './options.js'

/** Models from ONNX files. The native libraries are loaded in the models' own processes only. */
export default definePlugin({
  name: '@sallyport/onnx',
  backends: {
    onnx: {
      description: 'An ONNX file with the files that belong to it, run by onnxruntime on this machine.',
      options: optionsSchema,
      capabilities: [embedding, rerank, tokens, textClassification, tokenClassification, inference],
      always: () => [inference],
      class: OnnxBackend,
      files: fileNames,
      formats: ['.onnx'],
      isolation: {},
      estimate,
      check: async (model) => (await import('./check.js')).check(model),
    },
    efficientnet: efficientNetBackend,
    'image-tags': imageTagsBackend,
  },
})
