/** As `shout.test.ts`, for a check. */
import { createKernel } from '@sallyport/kernel'
import { runConformance } from '@sallyport/testing'
import plugin, { shouting } from './shouting.js'

runConformance(shouting, {
  create: async () => {
    const kernel = await createKernel({ plugins: [plugin] })
    return { service: kernel.get(shouting), dispose: () => kernel.stop() }
  },
  facts: { samples: { flagged: { text: 'LOOK AT THIS MESS' }, harmless: { text: 'Please look at this.' } } },
})
