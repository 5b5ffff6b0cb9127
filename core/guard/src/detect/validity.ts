/** Validates results of detectors, which may run in other processes and on other servers. */

import { loggable } from '@sallyport/core'
import type { ComparisonInspection, Finding, Inspection, InspectionRequest, Replacement } from '@sallyport/core'

const isScore = (score: unknown): boolean => typeof score === 'number' && score >= 0 && score <= 1

export const isSpanOf = (text: string, { start, end }: { start: number; end: number }): boolean =>
  [start, end].every(Number.isInteger) && start >= 0 && start <= end && end <= text.length

const isValidFinding = (finding: Finding, text: string): boolean =>
  typeof finding.type === 'string' && isScore(finding.score) && isSpanOf(text, finding)

/**
 * Returns the inspection.
 * @throws TypeError for scores outside 0..1 and spans outside the text
 */
export const validInspection = (inspection: Inspection, text: string): Inspection => {
  const { score, findings } = inspection
  if (!isScore(score) || !findings.every((finding) => isValidFinding(finding, text)))
    throw loggable(new TypeError('the detector answered with scores outside 0..1 or spans outside the text'))
  return inspection
}

/**
 * Returns the inspection.
 * @throws TypeError as {@link validInspection}, and for claims outside the text or support outside the reference
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

/** Returns the replacement. @throws TypeError for one without a text */
export const validReplacement = (replacement: Replacement): Replacement => {
  if (typeof replacement.text !== 'string') throw loggable(new TypeError('the detector answered without a text'))
  return replacement
}
