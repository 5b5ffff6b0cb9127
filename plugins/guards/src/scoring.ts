/** How what rules know and what heads read become one score, and which parts of a text it comes from. */

import { maxOf } from '@sallyport/kit/lists'
import type { Span } from '@sallyport/kit/views'
import type { FamilyFacts } from './rules/family.js'

/** The logit of a probability; finite at 0 and 1. */
export const logit = (probability: number): number => {
  const bounded = Math.min(1 - 1e-7, Math.max(1e-7, probability))
  return Math.log(bounded / (1 - bounded))
}

export const logistic = (value: number): number => 1 / (1 + Math.exp(-value))

/** The mean of the highest values, of fewer where there are fewer; -Infinity of none. */
export const meanOfHighest = (values: readonly number[], count: number): number => {
  const highest = values.toSorted((a, b) => b - a).slice(0, count)
  return highest.length === 0 ? -Infinity : highest.reduce((sum, value) => sum + value, 0) / highest.length
}

/** A family that fits, and how much of its score counts, in 0..1. */
interface Evidence {
  readonly family: FamilyFacts
  readonly share: number
}

/** How likely one of several families is right, each counted once. */
export const likelihood = (evidence: readonly Evidence[]): number => {
  const scores = new Map<FamilyFacts, number>()
  for (const { family, share } of evidence) scores.set(family, Math.max(scores.get(family) ?? 0, family.score * share))
  return 1 - [...scores.values()].reduce((wrong, score) => wrong * (1 - score), 1)
}

/** What rules that are certain add to the heads, in logits. */
const weightOfRules = 3.5
/** Findings of rules have no more in a text that is not bad as a whole; else no less than the text, up to almost sure. */
const [notBad, almostSure] = [0.49, 0.99]

/**
 * Logit; 0 is where a text is as likely bad as not.
 * @param heads their logit above the operating point; -Infinity of none
 * @param rules how likely they are right, in 0..1
 * @param sure rules that are as likely right as this decide alone
 */
export const combined = (heads: number, rules: number, sure: number): number =>
  Math.max(heads + weightOfRules * rules, rules >= sure ? logit(rules) : -Infinity)

/** @param own of the rule; @param total the logit of the text */
export const scoreOfRule = (own: number, total: number): number =>
  total < 0 ? Math.min(own, notBad) : Math.max(own, Math.min(logistic(total), almostSure))

/**
 * The logit from which windows are shown in a bad text: where rules decided, they show where, else the highest do.
 * @param windows logits above the operating point
 */
export const leastShown = (windows: readonly number[], byRules: boolean): number =>
  byRules ? 0 : Math.min(0, maxOf(windows))

/** Spans that touch, as one. */
export const joined = (spans: readonly Span[]): Span[] => {
  const result: { start: number; end: number }[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else result.push({ start, end })
  }
  return result
}
