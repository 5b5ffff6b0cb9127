import { capability } from './capability.js'
import { inspection, unguardedDetector } from './safeguard.js'
import type { Safeguard } from './safeguard.js'

/** Tells text that tries to override the operator's or the user's instructions. Score: 1 is an attack. */
export type InjectionCapability = Safeguard

export const injection = capability<InjectionCapability>()('injection', {
  guarded: unguardedDetector,
  methods: { inspect: inspection },
})
