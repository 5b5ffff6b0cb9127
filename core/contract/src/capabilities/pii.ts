import type { Call } from './call.js'
import { capability } from './capability.js'
import { opaque } from './fields.js'
import { findingsShape, inspection, unguardedDetector } from './safeguard.js'
import type { Finding, Inspection, InspectionRequest, Safeguard } from './safeguard.js'
import { list, oneOf } from './shape.js'

export interface PiiInspectionRequest extends InspectionRequest {
  /** Entity types that are not looked for: what they would cover or contradict is found all the same. */
  ignore?: readonly string[]
  /** Whether the text is a word that programs know a thing by, which names nobody. False where absent. */
  word?: boolean
}

/** Values as they stand beside each other, in their order. */
export interface PiiAcrossRequest {
  /** `name`: of the key or field that holds the value. */
  values: readonly { text: string; name?: string }[]
  /** Entity types that are not looked for. */
  ignore?: readonly string[]
}

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

/** Half-open, in UTF-16 code units. */
export interface OpenSpan {
  start: number
  end: number
}

/** Finds personal information, and replaces it. */
export interface PiiCapability extends Safeguard {
  /** @throws anything: the chain then blocks, unless the policy says otherwise. */
  inspect(request: PiiInspectionRequest, call: Call): Promise<Inspection>
  /**
   * What values say together when they are joined with nothing between: findings are spans of all of them joined, each
   * over two to four values and at most 512 UTF-16 code units. Only what has a strict form or a checksum, so that values
   * that have nothing to do with each other make up none. What one of the values says by itself is not reported.
   * Where a text is checked as it grows, {@link openSpans} must cover the part of such a finding at its end. Without this
   * method, values are read one by one.
   */
  inspectAcross?(request: PiiAcrossRequest, call: Call): Promise<Inspection>
  /** The same original gets the same replacement for the same tenant. */
  replace(request: ReplaceRequest, call: Call): Promise<Replacement>
  /**
   * Where a text that is still growing must not be cut: spans that patterns find in it, and those at its end that could
   * still become one. Promise: if no open span of the text so far holds a position strictly inside, then no pattern
   * finds anything across that position, however the text goes on. Without this method a text is cut only where
   * sentences and lines end.
   */
  openSpans?(request: { text: string }, call: Call): Promise<{ spans: OpenSpan[] }>
}

export const pii = capability<PiiCapability>()('pii', {
  guarded: unguardedDetector,
  methods: {
    inspect: {
      ...inspection,
      request: {
        ...inspection.request,
        'ignore?': list(opaque('the name of an entity type')),
        'word?': 'boolean',
      },
    },
    inspectAcross: {
      kind: 'call',
      optional: true,
      request: {
        values: list({ text: 'text', 'name?': 'text' }),
        'ignore?': list(opaque('the name of an entity type')),
      },
      result: inspection.result,
    },
    replace: {
      kind: 'call',
      request: { text: 'text', findings: findingsShape, method: oneOf('random', 'fake', 'category', 'mask') },
      result: {
        text: 'text',
        spans: list({ start: 'number', end: 'number', type: opaque('the name of an entity type') }),
      },
    },
    openSpans: {
      kind: 'call',
      optional: true,
      request: { text: 'text' },
      result: { spans: list({ start: 'number', end: 'number' }) },
    },
  },
})
