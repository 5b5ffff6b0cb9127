/** What is done about findings. Findings themselves are made by detectors, which know no policy. */

import type { Stage } from './capabilities/check.js'
import type { ReplaceMethod } from './capabilities/detector.js'

/**
 * Maximum number of texts of one request that are inspected at the same time: more would only wait, and exceed their
 * budgets.
 */
export const inspectionsAtOnce = 8

/** A detector of a check, by the id of its model. */
export interface DetectorChoice {
  readonly model: string
  /** Scores of this detector that reach it count, 0..1. */
  readonly threshold: number
}

/** A check in a policy, with its settings. */
export interface PolicyEntry {
  /** Name of the check. */
  readonly check: string
  /** `shadow` only reports: it changes and delays nothing, except that the end of an answer waits for its verdict. */
  readonly mode: 'enforce' | 'shadow'
  /** Scores that reach it count, 0..1. */
  readonly threshold: number
  /** What happens when a detector fails, times out or is missing. */
  readonly onFailure: 'block' | 'open'
  /** Milliseconds that the check of a text of 1,024 characters may take; longer texts get more. */
  readonly budget: number
  /** Whether answers are checked in segments, usually sentences, which can be streamed (default), or as a whole. */
  readonly window?: 'segment' | 'answer'
  /** The detectors to ask; by default the first that provides the check. */
  readonly detectors?: readonly DetectorChoice[]
  /**
   * How the scores of several detectors are combined: the highest (`any`), the lowest (`all`) or the `mean`. Findings
   * are united, except that `all` keeps only those that overlap a finding of every other detector.
   */
  readonly combine?: 'any' | 'all' | 'mean'
  /** What is done about findings; only for checks with methods. */
  readonly action?: 'block' | 'replace'
  readonly method?: ReplaceMethod
  /**
   * Whether what was replaced in a request is put back into its answer, after all output checks; for entries of input
   * that replace by a method of {@link restorableMethods}.
   */
  readonly restore?: boolean | Restore
  /** Types of findings to ignore. */
  readonly ignore?: readonly string[]
  /** The verdict of a comparison where the request has nothing to compare with; `pass` by default. */
  readonly unreferenced?: 'pass' | 'block'
  /** The check's own options, which its detectors get. */
  readonly options?: Readonly<Record<string, unknown>>
}

export interface Restore {
  /** Labels of the configured tool servers whose arguments get the originals, too. */
  readonly servers: readonly string[]
}

/** The methods whose substitutes can be told from each other. */
export const restorableMethods: readonly ReplaceMethod[] = ['fake', 'category']

/** The entries of a stage, by name: the check's own, or one that the operator gave it. */
export type PolicyEntries = Readonly<Record<string, PolicyEntry>>

/** A check as a caller requests it: on or off or, for checks that find spans, an action, alone or with details. */
export type RequestedCheck =
  boolean | 'block' | 'replace' | { action: 'block' | 'replace'; method?: ReplaceMethod; ignore?: readonly string[] }

/** The checks that a caller requests, by name. They can only tighten the operator's policy. */
export type RequestedChecks = { readonly [Name in Stage]?: Readonly<Record<string, RequestedCheck>> }

/** Verdicts from the least to the most severe. */
const severity = ['pass', 'replace', 'block', 'unavailable'] as const

/** The more severe of two verdicts of a check; of equally severe ones, that with the higher score. */
export const moreSevereVerdict = (one: Verdict, other: Verdict): Verdict => {
  const difference = severity.indexOf(other.verdict) - severity.indexOf(one.verdict)
  return difference > 0 || (difference === 0 && (other.score ?? -1) > (one.score ?? -1)) ? other : one
}

/** What one check decided. */
export interface Verdict {
  /** Its name in the policy. */
  readonly check: string
  /** The policy that has it, the first where several were joined; absent where only the caller asks for it. */
  readonly policy?: string
  readonly stage: Stage
  readonly verdict: (typeof severity)[number]
  readonly mode: PolicyEntry['mode']
  /** The number that the check declares, which orders those of a stage. */
  readonly order: number
  /**
   * Why the text was not judged: `no reference`, without a score, or the detector's reason, such as `too short`, with the
   * score 0.
   */
  readonly reason?: string
  readonly score?: number
  /** Name and version of the detector. */
  readonly detector?: string
  /** Milliseconds. */
  readonly latency: number
  /** Present where the check sees the whole answer at once; if it is enforced, nothing is released before the end. */
  readonly window?: 'answer'
  /** Numbers of findings that reached the threshold, by type, including those in text with escapes undone. */
  readonly findings?: Readonly<Record<string, number>>
  /**
   * Numbers of substitutes, by type, that stay in the answer although the policy restores: they stand in addresses, in
   * targets of links and the like. Reported at the end of the answer.
   */
  readonly unrestored?: Readonly<Record<string, number>>
  /**
   * The first findings in the caller's request, a document or what a tool said (field `output`), for the caller alone.
   * Absent for other output, whose offsets change when it is replaced; for listings of tools; for findings across several texts;
   * and for those inside values of unknown type, whose paths would quote them. For a text that is in several fields, the first
   * field is shown.
   */
  readonly spans?: readonly LocatedFinding[]
}

/** Adds numbers of findings, type by type. */
export const sumFindings = (
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Record<string, number> => {
  const sum = new Map(Object.entries(one))
  for (const [type, count] of Object.entries(other)) sum.set(type, (sum.get(type) ?? 0) + count)
  return Object.fromEntries(sum)
}

/** Sorts verdicts: input before output, then in the order of the chain. */
export const inChainOrder = (verdicts: readonly Verdict[]): Verdict[] =>
  verdicts.toSorted(
    (one, other) => Number(one.stage === 'output') - Number(other.stage === 'output') || one.order - other.order,
  )

/** Where something was found in what the caller sent, in a document, or in what a tool said. */
export interface LocatedFinding {
  /** The request's field: `messages[0].content`; of a document, the result's, such as `parts`, whose texts are joined. */
  readonly field: string
  readonly type: string
  /** Half-open, in Unicode code points of the field's text before anything was replaced. */
  readonly start: number
  readonly end: number
  readonly score: number
  /** From 1, where the document has pages. */
  readonly page?: number
  /** The number of the heading that it is in, or of the last one above it, from 1. */
  readonly heading?: number
}
