import { createKernel } from '@sallyport/kernel'
import { pii } from '@sallyport/checks'
import { runConformance } from '@sallyport/testing'
import plugin from '../src/index.js'

runConformance(pii, {
  create: async () => {
    const options = { key: 'a key for conformance' }
    const kernel = await createKernel({ plugins: [plugin], models: { pii: { backend: 'pii', options } } })
    return { service: kernel.get(pii, 'pii'), dispose: () => kernel.stop() }
  },
})
