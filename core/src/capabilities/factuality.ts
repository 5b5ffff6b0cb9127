import { capability } from './capability.js'
import { inspectionFields, unguardedDetector } from './safeguard.js'
import type { Safeguard } from './safeguard.js'

/** Compares a text with the request's `reference`. Score: 1 contradicts it or is not supported by it. */
export type FactualityCapability = Safeguard

export const factuality = capability<FactualityCapability>()('factuality', {
  guarded: unguardedDetector,
  methods: { inspect: inspectionFields },
})
