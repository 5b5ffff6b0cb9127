/** How what rules know and what heads read become one score. */

import { logistic, logit } from './heads/aggregate.js'

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
  byRules ? 0 : Math.min(0, highestOf(windows))

/** -Infinity of none. */
export const highestOf = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), -Infinity)
