/** What all detectors have in common. Findings are apart from the policy that decides about them. */

import type { Call } from './call.js'
import { opaque } from './fields.js'
import { list, oneOf } from './shape.js'

/** Something found in a text. */
export interface Finding {
  /** What it is: `PERSON`, `EMAIL_ADDRESS` (Presidio's names), `injection`, `toxicity`, `unsupported_claim`, … */
  type: string
  /** Half-open span in UTF-16 code units of the inspected text. */
  start: number
  end: number
  /** Confidence in 0..1. */
  score: number
}

/** Where a text comes from, as the request says it. */
export type Origin = 'user' | 'system' | 'document' | 'tool' | 'model'

export interface InspectionRequest {
  text: string
  /** What stands before the text, as context: nothing is reported of it. */
  before?: string
  /** An instruction inside a document is judged otherwise than one by the user. Absent where it is not known. */
  origin?: Origin
  /**
   * Where in the text begins what is of that origin; absent where all of it is. What stands before it is another
   * speaker's, whose words may go on in it: both are judged as one.
   */
  from?: number
  /** For factuality: what the text must agree with. */
  reference?: string
}

export interface Inspection {
  findings: Finding[]
  /** Of the text as a whole, in 0..1; 1 is the bad end (an attack, toxic, contradicted). */
  score: number
  /** For a person, in plain words. */
  explanation: string
  /** Name and version of what decided. */
  detector: string
  /** Milliseconds. */
  latency: number
}

/** Looks at a text and reports; never decides. */
export interface Safeguard {
  /** @throws anything: the chain then blocks, unless the policy says otherwise. */
  inspect(request: InspectionRequest, call: Call): Promise<Inspection>
}

/** Detectors are what the chain calls: guarding them would never end. */
export const unguardedDetector = { reason: 'a detector is called by the chain itself' } as const

export const findingsShape = list({
  type: opaque('the name of an entity type'),
  start: 'number',
  end: 'number',
  score: 'number',
} as const)

export const inspection = {
  kind: 'call',
  request: {
    text: 'text',
    'before?': 'text',
    'origin?': oneOf('user', 'system', 'document', 'tool', 'model'),
    'from?': 'number',
    'reference?': 'text',
  },
  result: {
    findings: findingsShape,
    score: 'number',
    explanation: opaque('made by the detector from templates'),
    detector: opaque('a name and version'),
    latency: 'number',
  },
} as const
