/** Detectors run in other processes and on other servers: types prove nothing about what they answer. */

import type { Replacement } from '../capabilities/pii.js'
import type { Finding, Inspection } from '../capabilities/safeguard.js'

const isScore = (score: unknown): boolean => typeof score === 'number' && score >= 0 && score <= 1

const isSoundFinding = ({ type, start, end, score }: Finding, text: string): boolean =>
  typeof type === 'string' &&
  isScore(score) &&
  [start, end].every(Number.isInteger) &&
  start >= 0 &&
  start <= end &&
  end <= text.length

/**
 * The inspection, when its scores are in 0..1 and its findings lie in the text.
 * @throws TypeError
 */
export const soundInspection = (inspection: Inspection, text: string): Inspection => {
  const { score, findings } = inspection
  if (!isScore(score) || !findings.every((finding) => isSoundFinding(finding, text)))
    throw new TypeError('the detector answered with scores outside 0..1 or spans outside the text')
  return inspection
}

/** The replacement, when it has a text. @throws TypeError */
export const soundReplacement = (replacement: Replacement): Replacement => {
  if (typeof replacement.text !== 'string') throw new TypeError('the detector answered without a text')
  return replacement
}

/** Texts of one request that are inspected at the same time: more would only wait, and run out of their budget. */
export const inspectionsAtOnce = 8
