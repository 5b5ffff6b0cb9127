import { definePlugin, extraction } from '@sallyport/core'
import { DocumentsBackend } from './backend.js'
import { optionsSchema } from './options.js'

export type { OcrEngine, OcrLine, Raster } from './ocr/engine.js'
export type { DocumentsOptions } from './options.js'

/** Documents become text. */
export default definePlugin({
  name: '@sallyport/documents',
  backends: {
    documents: {
      description: 'Markdown, text, HTML or blocks out of documents of the usual formats.',
      options: optionsSchema,
      capabilities: [extraction],
      class: DocumentsBackend,
      files: 'none',
    },
  },
})
