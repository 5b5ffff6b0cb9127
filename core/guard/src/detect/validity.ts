/** Detectors run in other processes and on other servers: types prove nothing about what they answer. */

import { loggable } from '@sallyport/core'
import type { ComparisonInspection, Finding, Inspection, InspectionRequest, Replacement } from '@sallyport/core'

const isScore = (score: unknown): boolean => typeof score === 'number' && score >= 0 && score <= 1

const isSpanOf = (text: string, { start, end }: { start: number; end: number }): boolean =>
  [start, end].every(Number.isInteger) && start >= 0 && start <= end && end <= text.length

const isValidFinding = (finding: Finding, text: string): boolean =>
  typeof finding.type === 'string' && isScore(finding.score) && isSpanOf(text, finding)

/**
 * The inspection, when its scores are in 0..1 and its findings lie in the text.
 * @throws TypeError
 */
export const validInspection = (inspection: Inspection, text: string): Inspection => {
  const { score, findings } = inspection
  if (!isScore(score) || !findings.every((finding) => isValidFinding(finding, text)))
    throw loggable(new TypeError('the detector answered with scores outside 0..1 or spans outside the text'))
  return inspection
}

/**
 * The inspection, when its claims lie in the text, too, and what supports them in the reference.
 * @throws TypeError
 */
export const validComparison = (
  inspection: ComparisonInspection,
  { text, reference = '' }: InspectionRequest,
): ComparisonInspection => {
  for (const claim of inspection.claims ?? [])
    if (!isScore(claim.score) || !isSpanOf(text, claim) || !claim.support.every((span) => isSpanOf(reference, span)))
      throw loggable(
        new TypeError('the detector answered with claims outside the text, or support outside the reference'),
      )
  validInspection(inspection, text)
  return inspection
}

/** The replacement, when it has a text. @throws TypeError */
export const validReplacement = (replacement: Replacement): Replacement => {
  if (typeof replacement.text !== 'string') throw loggable(new TypeError('the detector answered without a text'))
  return replacement
}
