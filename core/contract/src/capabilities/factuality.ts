import type { Call } from './call.js'
import { capability } from './capability.js'
import { inspection, unguardedDetector } from './safeguard.js'
import type { Inspection, InspectionRequest } from './safeguard.js'
import { list, oneOf } from './shape.js'

/** One statement of the inspected text. */
export interface Claim {
  /** Half-open span in UTF-16 code units of the text. */
  start: number
  end: number
  /** In 0..1; 1 contradicts the reference or is not supported by it. */
  score: number
  /** The sentences of the reference that say most of it, the best first: spans in UTF-16 code units. */
  support: { start: number; end: number }[]
  /** What it has that those sentences have not, or have otherwise. */
  differences: ('number' | 'name' | 'date' | 'negation' | 'opposite')[]
}

export interface FactualityInspection extends Inspection {
  /** In the order of the text. Detectors that judge the text as a whole have none. */
  claims?: Claim[]
}

/** Compares a text with the request's `reference`. Score: 1 contradicts it or is not supported by it. */
export interface FactualityCapability {
  /** @throws anything: the chain then blocks, unless the policy says otherwise. */
  inspect(request: InspectionRequest, call: Call): Promise<FactualityInspection>
}

export const factuality = capability<FactualityCapability>()('factuality', {
  guarded: unguardedDetector,
  methods: {
    inspect: {
      ...inspection,
      result: {
        ...inspection.result,
        'claims?': list({
          start: 'number',
          end: 'number',
          score: 'number',
          support: list({ start: 'number', end: 'number' }),
          differences: list(oneOf('number', 'name', 'date', 'negation', 'opposite')),
        }),
      },
    },
  },
})
