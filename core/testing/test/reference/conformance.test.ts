import { factuality, injection, pii, toxicity } from '@sallyport/checks'
import { capabilities as all } from '@sallyport/core'
import type { Capability, Kernel } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { runConformance } from '../../src/index.js'
import reference from '../../src/reference/index.js'
import { references } from './references.js'
import type { Reference } from './references.js'

/** Both must do the same: the backend alone, and what the kernel makes of it. */
const conforms = <Service extends object>(
  capability: Capability<Service>,
  { create, facts }: Reference<Service>,
  served: (kernel: Kernel) => NoInfer<Service>,
): void => {
  describe('the reference backend', () =>
    runConformance(capability, { create: () => Promise.resolve(create()), facts }))
  describe('the kernel with the reference backend', () =>
    runConformance(capability, {
      create: async () => {
        const kernel = await createKernel({ plugins: [reference], log: { level: 'silent' } })
        return { service: served(kernel), dispose: () => kernel.stop() }
      },
      facts,
    }))
}

conforms(all.chat, references.chat, (kernel) => kernel.get(all.chat))
conforms(all.completion, references.completion, (kernel) => kernel.get(all.completion))
conforms(all.embedding, references.embedding, (kernel) => kernel.get(all.embedding))
conforms(all.rerank, references.rerank, (kernel) => kernel.get(all.rerank))
conforms(all.tokens, references.tokens, (kernel) => kernel.get(all.tokens))
conforms(all.transcription, references.transcription, (kernel) => kernel.get(all.transcription))
conforms(all.extraction, references.extraction, (kernel) => kernel.get(all.extraction))
conforms(all.translation, references.translation, (kernel) => kernel.get(all.translation))
conforms(injection, references.injection, (kernel) => kernel.get(injection))
conforms(pii, references.pii, (kernel) => kernel.get(pii))
conforms(toxicity, references.toxicity, (kernel) => kernel.get(toxicity))
conforms(factuality, references.factuality, (kernel) => kernel.get(factuality))
conforms(all.tools, references.tools, (kernel) => kernel.get(all.tools))
conforms(all.textClassification, references.textClassification, (kernel) => kernel.get(all.textClassification))
conforms(all.tokenClassification, references.tokenClassification, (kernel) => kernel.get(all.tokenClassification))
conforms(all.imageClassification, references.imageClassification, (kernel) => kernel.get(all.imageClassification))
conforms(all.inference, references.inference, (kernel) => kernel.get(all.inference))
