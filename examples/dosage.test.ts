/** As `shout.test.ts`, for a check that finds spans. */
import { createKernel } from '@sallyport/kernel'
import { runConformance } from '@sallyport/testing'
import plugin, { dosage } from './dosage.js'

runConformance(dosage, {
  create: async () => {
    const kernel = await createKernel({ plugins: [plugin] })
    return { service: kernel.get(dosage), dispose: () => kernel.stop() }
  },
  facts: {
    samples: { flagged: { text: 'Take 500 mg at night.' }, harmless: { text: 'Take it at night, in 5 days.' } },
  },
})
