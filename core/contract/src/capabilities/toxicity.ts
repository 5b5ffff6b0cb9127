import { capability } from './capability.js'
import { inspection, unguardedDetector } from './safeguard.js'
import type { Safeguard } from './safeguard.js'

/** Tells hateful, violent, sexual or self-harming text. Score: 1 is toxic. */
export type ToxicityCapability = Safeguard

export const toxicity = capability<ToxicityCapability>()('toxicity', {
  guarded: unguardedDetector,
  methods: { inspect: inspection },
})
