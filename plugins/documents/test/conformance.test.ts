import { createKernel } from '@sallyport/kernel'
import { extraction } from '@sallyport/core'
import { runConformance } from '@sallyport/testing'
import documents from '../src/index.js'

describe('extraction of documents', () => {
  runConformance(extraction, {
    create: async () => {
      const kernel = await createKernel({ plugins: [documents], models: { documents: { backend: 'documents' } } })
      return { service: kernel.get(extraction, 'documents'), dispose: () => kernel.stop() }
    },
  })
})
