/** Cuts out the passages that a check with a score finds, where its policy prefers that to blocking the text. */

import type { InspectionRequest } from '@sallyport/core'
import { blocked, maxRechecks } from '../policy/active-check.js'
import type { SpanCheck } from '../policy/active-check.js'
import { reportVerdict, scoredReadings } from '../detect/checks.js'
import type { CheckContext } from '../detect/checks.js'
import { asOriginalSpans } from '../detect/findings.js'
import { findingInText, matchOf, withoutOverlaps } from '../detect/matches.js'
import { replaceMatches } from './replace-matches.js'

/**
 * The text without its flagged passages, each replaced by the method of the entry. What remains was inspected again, and
 * passed.
 * @throws content_blocked where no passage explains the score, or what remains is flagged, too; safeguard_unavailable
 */
export const cutPassages = async (
  check: SpanCheck,
  request: InspectionRequest,
  { description, ...context }: CheckContext,
): Promise<string> => {
  let { text } = request
  for (let cuts = 0; ; cuts += 1) {
    // Positions are known in the text as it came, and only that may recur.
    const described = cuts === 0 && description ? { ...context, description } : context
    const { readings, worst } = await scoredReadings(check, { ...request, text }, described)
    const flagged = readings.filter(({ isFlagged }) => isFlagged)
    const matches = flagged.flatMap(({ reading, findings }) => findings.map((finding) => matchOf(finding, reading)))
    const passages = withoutOverlaps(text, matches)
    const verdict = !flagged.length ? 'pass' : passages.length && cuts < maxRechecks ? 'replace' : 'block'
    const found = flagged.length
      ? passages.map(findingInText)
      : readings.flatMap(({ reading, findings }) => asOriginalSpans(reading, findings))
    if (worst) reportVerdict(described, check, verdict, worst, found)
    if (verdict === 'pass') return text
    if (verdict === 'block') throw blocked(check)
    text = await replaceMatches(text, passages, { check, context })
  }
}
