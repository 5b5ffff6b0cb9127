/** What is done about findings. Findings themselves are made by detectors, which know no policy. */

import type { ReplaceMethod } from './capabilities/safeguard.js'

export interface CheckPolicy {
  /** `shadow` only reports: all leaves as it would without the check, and only the end of an answer waits for its verdict. */
  readonly mode: 'enforce' | 'shadow'
  /** Scores from here on count, 0..1. */
  readonly threshold: number
  /** When the detector fails, times out or is missing. */
  readonly onFailure: 'block' | 'open'
  /** Milliseconds that the check of a text may take: see {@link Budget}. */
  readonly budget: number
  /** What of an answer is checked at a time: by default a sentence or so, which can be streamed. */
  readonly window?: 'segment' | 'answer'
}

export interface PiiPolicy extends CheckPolicy {
  readonly action: 'block' | 'replace'
  readonly method: ReplaceMethod
  /** Entity types that are not looked for. */
  readonly ignore: readonly string[]
}

export interface FactualityPolicy extends CheckPolicy {
  /** What becomes of an answer where the request states nothing that it could be compared with: by default it passes. */
  readonly unreferenced?: 'pass' | 'block'
}

/** Which checks run on what goes in and what comes out; an absent check does not run. */
export interface Policy {
  readonly name: string
  readonly input: { readonly injection?: CheckPolicy; readonly pii?: PiiPolicy }
  readonly output: {
    readonly injection?: CheckPolicy
    readonly pii?: PiiPolicy
    readonly toxicity?: CheckPolicy
    readonly factuality?: FactualityPolicy
  }
}

/** Whether any of these checks does more than report. */
export const enforces = (checks: Policy['input'] | Policy['output']): boolean =>
  Object.values(checks).some(({ mode }: CheckPolicy) => mode === 'enforce')

/** What a caller asks for: can only tighten the operator's policy. */
export interface CallerSafeguards {
  injection?: boolean
  pii?: 'block' | 'replace'
  piiReplaceMethod?: ReplaceMethod
  /** Entity types to ignore, in the checks that the caller added. */
  entityList?: string[]
  /** Where `injection` and `pii` are looked for: what goes in (default), or what comes out (files, whose input is no text). */
  stage?: Verdict['stage']
  toxicity?: boolean
  factuality?: boolean
}

/** From the mildest to the gravest. */
const gravity = ['pass', 'replace', 'block', 'unavailable'] as const

/** The one that is shown of several decisions of a check: the gravest, of equal ones that of the higher score. */
export const graverVerdict = (one: Verdict, other: Verdict): Verdict => {
  const difference = gravity.indexOf(other.verdict) - gravity.indexOf(one.verdict)
  return difference > 0 || (difference === 0 && (other.score ?? -1) > (one.score ?? -1)) ? other : one
}

/** What one check decided. */
export interface Verdict {
  readonly check: 'injection' | 'pii' | 'toxicity' | 'factuality'
  readonly stage: 'input' | 'output'
  readonly verdict: (typeof gravity)[number]
  readonly mode: CheckPolicy['mode']
  /** Why it was decided without a detector: the request states nothing that an answer could be compared with. */
  readonly reason?: 'no reference'
  readonly score?: number
  /** Name and version. */
  readonly detector?: string
  /** Milliseconds. */
  readonly latency: number
  /** Present where the check sees the whole answer at once: nothing of it is released before its end, if enforced. */
  readonly window?: 'answer'
  /** How many findings reached the threshold, by type. What a text says with escapes undone counts, too. */
  readonly findings?: Readonly<Record<string, number>>
  /**
   * The first of them in what the caller sent, for the caller alone. Absent for what comes out: it is checked before
   * it is replaced, and in pieces, so that no offset would hold in what is released. Absent, too, for what was found
   * across several texts, and inside values of unknown type, whose paths would quote them. A text that stands in
   * several fields is shown in the first.
   */
  readonly spans?: readonly LocatedFinding[]
}

/** Checks as the chain runs them; side by side, they may end in another order. */
const chain: readonly (readonly [Verdict['stage'], Verdict['check']])[] = [
  ['input', 'injection'],
  ['input', 'pii'],
  ['output', 'injection'],
  ['output', 'pii'],
  ['output', 'toxicity'],
  ['output', 'factuality'],
]

/** The verdicts in the chain's order, those of one check as they came. */
export const inChainOrder = (verdicts: readonly Verdict[]): Verdict[] => {
  const position = (one: Verdict) => chain.findIndex(([stage, check]) => stage === one.stage && check === one.check)
  return verdicts.toSorted((one, other) => position(one) - position(other))
}

/** Where something was found in what the caller sent. */
export interface LocatedFinding {
  /** The request's field: `messages[0].content`. */
  readonly field: string
  readonly type: string
  /** Half-open, in Unicode code points of the field's text. */
  readonly start: number
  readonly end: number
  readonly score: number
}
