/** As `shout.test.ts`, for a detector. */
import { createKernel } from '@sallyport/kernel'
import { toxicity } from '@sallyport/checks'
import { runConformance } from '@sallyport/testing'
import houseWords from './house-words.js'

const models = { words: { backend: 'house-words', options: { words: ['drat', 'crikey'] } } }

runConformance(toxicity, {
  create: async () => {
    const kernel = await createKernel({ plugins: [houseWords], models })
    return { service: kernel.get(toxicity), dispose: () => kernel.stop() }
  },
  facts: { samples: { flagged: { text: 'Drat, it rains.' }, harmless: { text: 'It rains. Dratting is no word.' } } },
})
