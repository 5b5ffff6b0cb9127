/** Combines rules and classifiers into one score, and selects the parts of a text that explain it. */

import { maxOf } from '@sallyport/kit/lists'
import type { Span } from '@sallyport/kit/views'
import type { FamilyFacts } from './rules/family.js'

/** The logit of a probability; finite at 0 and 1. */
export const logit = (probability: number): number => {
  const bounded = Math.min(1 - 1e-7, Math.max(1e-7, probability))
  return Math.log(bounded / (1 - bounded))
}

export const logistic = (value: number): number => 1 / (1 + Math.exp(-value))

/** The option `calibration` of a detector (Platt, 1999). */
export interface Calibration {
  readonly scale: number
  readonly offset: number
}

export const calibrated = ({ scale, offset }: Calibration, value: number): number => scale * value + offset

/** The mean of the highest values, at most `count` of them; -Infinity of an empty list. */
export const meanOfHighest = (values: readonly number[], count: number): number => {
  const highest = values.toSorted((a, b) => b - a).slice(0, count)
  return highest.length === 0 ? -Infinity : highest.reduce((sum, value) => sum + value, 0) / highest.length
}

/** A family that matched, and the share of its score that counts, from 0 to 1. */
interface Evidence {
  readonly family: FamilyFacts
  readonly share: number
}

/**
 * The probability that at least one of several matches is right, as if independent; of a family, the highest share
 * counts.
 */
export const noisyOr = (evidence: readonly Evidence[]): number => {
  const scores = new Map<FamilyFacts, number>()
  for (const { family, share } of evidence) scores.set(family, Math.max(scores.get(family) ?? 0, family.score * share))
  return 1 - [...scores.values()].reduce((wrong, score) => wrong * (1 - score), 1)
}

/** How much rules count beside classifiers. */
interface RuleInfluence {
  /** The logits that they add to those of the classifiers when their probability is 1. */
  readonly weight: number
  /** The minimum probability at which they decide alone. */
  readonly decisive: number
}

/** In a text that is not flagged, a rule's finding has at most this score. */
const maxUnflaggedScore = 0.49
/** In a flagged text, a rule's finding has at least the text's score, up to this. */
const maxRaisedScore = 0.99

/**
 * The logit of a text; at 0, it is as likely bad as not.
 * @param classifiers logit of the classifiers minus the operating point; -Infinity where there are none
 * @param rules probability of the rules, from 0 to 1
 */
export const combinedLogit = (classifiers: number, rules: number, { weight, decisive }: RuleInfluence): number =>
  Math.max(classifiers + weight * rules, rules >= decisive ? logit(rules) : -Infinity)

/** @param own score of the rule @param total logit of the text */
export const scoreOfRule = (own: number, total: number): number =>
  total < 0 ? Math.min(own, maxUnflaggedScore) : Math.max(own, Math.min(logistic(total), maxRaisedScore))

/**
 * The minimum logit of the windows of a flagged text that are reported. Where no rule matched, the highest is always
 * among them.
 * @param windows logits minus the operating point
 */
export const minShownLogit = (windows: readonly number[], hasRuleMatch: boolean): number =>
  hasRuleMatch ? 0 : Math.min(0, maxOf(windows))

export const mergeTouching = (spans: readonly Span[]): Span[] => {
  const result: { start: number; end: number }[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else result.push({ start, end })
  }
  return result
}
