import { definePlugin, extraction } from '@sallyport/core'
import type { ModelSpec } from '@sallyport/core'
import { DocumentsBackend, estimate, modelsFor } from './backend.js'
import { optionsSchema } from './options.js'
import type { DocumentsOptions } from './options.js'

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
      check: (spec, models) => {
        modelsFor(spec as ModelSpec<DocumentsOptions>, models)
      },
      estimate: (spec) => estimate(spec as ModelSpec<DocumentsOptions>),
    },
  },
})
