import { definePlugin, pii } from '@sallyport/core'
import { PiiBackend, taggerOf, typesOf } from './backend.js'
import { optionsSchema } from './options.js'
import type { PiiOptions } from './options.js'

export type { CustomRecognizer, PiiOptions } from './options.js'
export type { Pattern, Recognizer } from './recognizers/recognizer.js'

/** Personal information: found by patterns, checksums and a model, and replaced. */
export default definePlugin({
  name: '@sallyport/pii',
  backends: {
    pii: {
      description: 'Finds personal information in text, and replaces it.',
      options: optionsSchema,
      capabilities: [pii],
      class: PiiBackend,
      files: 'none',
      check: (spec, kernel) => {
        const { model } = spec.options as PiiOptions
        if (model) taggerOf(spec, model, kernel)
      },
      entityTypes: ({ options }) => {
        const { recognizers, labels } = options as PiiOptions
        const own = recognizers.filter((one) => typeof one === 'object')
        // What modules bring is known when they are loaded.
        return own.length === recognizers.length ? typesOf(own, labels) : undefined
      },
    },
  },
})
