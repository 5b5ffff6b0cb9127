import { createKernel } from '@sallyport/kernel'
import { factuality, injection, toxicity } from '@sallyport/checks'
import { runConformance } from '@sallyport/testing'
import plugin from '../src/index.js'
import { standIn } from './stand-in.js'

const created = (models: Readonly<Record<string, { backend: string; options?: object }>>) =>
  createKernel({ plugins: [standIn, plugin], models })

describe('with rules and n-grams', () => {
  runConformance(injection, {
    create: async () => {
      const kernel = await created({ injection: { backend: 'injection' } })
      return { service: kernel.get(injection, 'injection'), dispose: () => kernel.stop() }
    },
  })
})

describe('with features of claims', () => {
  runConformance(factuality, {
    create: async () => {
      const kernel = await created({ factuality: { backend: 'factuality' } })
      return { service: kernel.get(factuality, 'factuality'), dispose: () => kernel.stop() }
    },
  })
})

describe('with a model', () => {
  runConformance(injection, {
    create: async () => {
      const kernel = await created({ injection: { backend: 'injection', options: { model: 'guard' } } })
      return { service: kernel.get(injection, 'injection'), dispose: () => kernel.stop() }
    },
  })

  runConformance(toxicity, {
    create: async () => {
      const kernel = await created({ toxicity: { backend: 'toxicity' } })
      return { service: kernel.get(toxicity, 'toxicity'), dispose: () => kernel.stop() }
    },
  })
})
