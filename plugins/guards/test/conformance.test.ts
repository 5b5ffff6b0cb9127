import { createKernel, injection } from '@sallyport/core'
import { runConformance } from '@sallyport/core/conformance'
import plugin from '../src/index.js'

runConformance(injection, {
  create: async () => {
    const kernel = await createKernel({ plugins: [plugin], models: { injection: { backend: 'injection' } } })
    return { service: kernel.get(injection, 'injection'), dispose: () => kernel.stop() }
  },
})
