import type { Call } from './call.js'
import { capability } from './capability.js'
import { opaque } from './fields.js'
import { inspectionFields, unguardedDetector } from './safeguard.js'
import type { Finding, Safeguard } from './safeguard.js'

/** `random`: characters of the same shape; `fake`: a realistic other value; `category`: `<TYPE>`; `mask`: `*`. */
export type ReplaceMethod = 'random' | 'fake' | 'category' | 'mask'

export interface ReplaceRequest {
  text: string
  /** Of overlapping ones the longest, then the best score, wins. */
  findings: Finding[]
  method: ReplaceMethod
}

export interface Replacement {
  text: string
  /** Where the replaced spans stand in the new text, in UTF-16 code units. */
  spans: { start: number; end: number; type: string }[]
}

/** Finds personal information, and replaces it. */
export interface PiiCapability extends Safeguard {
  /** The same original gets the same replacement for the same tenant. */
  replace(request: ReplaceRequest, call: Call): Promise<Replacement>
}

export const pii = capability<PiiCapability>()('pii', {
  guarded: unguardedDetector,
  methods: {
    inspect: inspectionFields,
    replace: {
      kind: 'call',
      input: { text: 'text', findings: { type: opaque('the name of an entity type') } },
      output: { text: 'text', spans: { type: opaque('the name of an entity type') } },
    },
  },
})
