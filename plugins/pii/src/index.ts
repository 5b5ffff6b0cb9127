import { definePlugin } from '@sallyport/core'
import type { ModelSpec } from '@sallyport/core'
import { pii } from '@sallyport/checks'
import { PiiBackend } from './backend.js'
import { optionsSchema } from './options/index.js'
import type { PiiOptions } from './options/index.js'

export type { CustomRecognizer, PiiOptions } from './options/index.js'
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
      check: async (spec, kernel, directory) => {
        const { resolveOptions } = await import('./open-detector.js')
        await resolveOptions(spec as ModelSpec<PiiOptions>, kernel, directory)
      },
      entityTypes: async ({ options }, directory) => {
        const { entityTypesOf } = await import('./open-detector.js')
        return entityTypesOf(options as PiiOptions, directory)
      },
    },
  },
})
