/** Detectors are services that inspect a text and report findings. Policies decide about the findings. */

import type { Call } from './call.js'

/** Something found in a text. */
export interface Finding {
  /** The type: `PERSON`, `EMAIL_ADDRESS` (Presidio's names), `injection`, `toxicity`, `unsupported_claim`, … */
  type: string
  /** Half-open span in UTF-16 code units of the inspected text. */
  start: number
  end: number
  /** Confidence in 0..1. */
  score: number
}

/** The origin of a text, according to the request. */
export type Origin = 'user' | 'system' | 'document' | 'tool' | 'model'

export interface InspectionRequest {
  text: string
  /** The preceding text, as context; nothing in it is reported. */
  before?: string
  /** An instruction inside a document is judged differently from one by the user. Absent where unknown. */
  origin?: Origin
  /**
   * The position where the text of that origin begins; absent where all of it is. The text before it is of another
   * role and may continue in it, so both are judged as one.
   */
  from?: number
  /** The position of the text in what it is a part of, in UTF-16 code units; absent where it is all of it. */
  offset?: number
  /** For comparisons: what the text must agree with, or must not say. */
  reference?: string
  /**
   * The check's own options from a policy or a request, validated and with defaults; absent where it has none. Code
   * that calls a detector directly, such as conformance cases, may pass anything.
   */
  options?: unknown
}

export interface Inspection {
  findings: Finding[]
  /** The score of the text as a whole, in 0..1; 1 is the bad end (an attack, toxic, contradicted). */
  score: number
  /** An explanation for people. */
  explanation: string
  /** Name and version of the detector. */
  detector: string
  /** Milliseconds. */
  latency: number
  /** Why the text could not be judged, in two or three words for receipts: `too short`. The score is then 0. */
  reason?: string
}

/**
 * Inspects a text and reports; it never decides. What it asks models of the kernel is not inspected, if it passes its
 * own `call` on.
 */
export interface Detector {
  /** @throws anything: the chain then blocks, unless the policy says otherwise. */
  inspect(request: InspectionRequest, call: Call): Promise<Inspection>
}

export interface SpanRequest extends InspectionRequest {
  /** Types that are not reported. Findings of other types that overlap them are reported nevertheless. */
  ignore?: readonly string[]
  /** Whether the text is one word that names something for programs, so no names of people are looked for in it. */
  isProgramName?: boolean
}

/** Adjacent values, in their order. */
export interface AcrossRequest {
  /** `name` is that of the key or field that holds the value. */
  values: readonly { text: string; name?: string }[]
  /** Types of findings to ignore. */
  ignore?: readonly string[]
  /** The check's own options, as in {@link InspectionRequest}. */
  options?: unknown
}

/**
 * `random`: characters of the same shape; `fake`: a realistic other value; `category`: `<TYPE>`; `mask`: `*`; `remove`:
 * nothing.
 */
export type ReplaceMethod = 'random' | 'fake' | 'category' | 'mask' | 'remove'

/** The methods that the chain implements for detectors without `replace`. */
export const builtInReplaceMethods = ['category', 'mask', 'remove'] as const satisfies readonly ReplaceMethod[]

export interface ReplaceRequest {
  text: string
  /** Of overlapping findings the longest is replaced, and of equally long ones that with the highest score. */
  findings: Finding[]
  method: ReplaceMethod
  /**
   * Present where the original will be put back, so that no replacement by `random` or `fake` may be what an answer says
   * by itself, nor one of these texts, where another can be made.
   */
  avoid?: string[]
}

export interface Replacement {
  text: string
  /** The spans of the replacements in the new text, in UTF-16 code units. */
  spans: { start: number; end: number; type: string }[]
}

/** Half-open, in UTF-16 code units. */
export interface OpenSpan {
  start: number
  end: number
}

/** Finds spans of a text, and may replace them. */
export interface SpanDetector extends Detector {
  /** @throws anything: the chain then blocks, unless the policy says otherwise. */
  inspect(request: SpanRequest, call: Call): Promise<Inspection>
  /**
   * Inspects adjacent values joined without a separator. Findings are spans of the joined text, each over two to four
   * values and at most 512 UTF-16 code units. Only types with a strict form or a checksum are reported, so that
   * unrelated values do not make up a finding, and nothing that is within one value. Where a text is checked as it
   * grows, {@link openSpans} must cover the part of such a finding at its end. Without this method, values are read one
   * by one.
   */
  inspectAcross?(request: AcrossRequest, call: Call): Promise<Inspection>
  /**
   * The same original gets the same replacement for the same tenant. Without this method, findings are replaced with
   * {@link builtInReplaceMethods}; a detector of a check with the methods `random` or `fake` must have it.
   */
  replace?(request: ReplaceRequest, call: Call): Promise<Replacement>
  /**
   * The spans in which a text that is still growing must not be cut: those that patterns find in it, and those at its
   * end that could still become one. Guarantee: if no open span of the text so far holds a position strictly inside,
   * then no pattern finds anything across that position, however the text goes on. Without this method a text is cut
   * only where sentences and lines end.
   */
  openSpans?(request: OpenSpansRequest, call: Call): Promise<{ spans: OpenSpan[] }>
}

export interface OpenSpansRequest {
  text: string
  /** The check's own options, as in {@link InspectionRequest}. */
  options?: unknown
}

/** One statement of the inspected text. */
export interface Claim {
  /** Half-open span in UTF-16 code units of the text. */
  start: number
  end: number
  /** In 0..1; 1 contradicts the reference or is not supported by it. */
  score: number
  /** The sentences of the reference that support it best, the best first, as spans in UTF-16 code units. */
  support: { start: number; end: number }[]
  /** The kinds of details that are missing or different in those sentences. */
  differences: ('number' | 'name' | 'date' | 'negation' | 'opposite')[]
}

export interface ComparisonInspection extends Inspection {
  /** In the order of the text. Detectors that judge the text as a whole have none. */
  claims?: Claim[]
}

/** Compares a text with the request's `reference`. Score: 1 is the bad end. */
export interface ComparisonDetector extends Detector {
  /** @throws anything: the chain then blocks, unless the policy says otherwise. */
  inspect(request: InspectionRequest, call: Call): Promise<ComparisonInspection>
}
