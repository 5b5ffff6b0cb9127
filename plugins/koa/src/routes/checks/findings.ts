/** How the routes of checks write findings and claims. */

import { codePointOffsets } from '@sallyport/kit/text'
import type { Claim, Finding } from '@sallyport/core'
import { wireScore } from '../../dialects/values.js'
import { objectOf, opaque, score } from '../../schemas/common.js'
import type { Schema } from '../../schemas/schema.js'

export const position: Schema = { type: 'integer', description: 'in Unicode code points' }
export const finding = objectOf({ start: position, end: position, type: opaque('the name of what was found'), score })

interface Span {
  readonly start: number
  readonly end: number
}

/** Findings as answers have them, with positions in Unicode code points. */
export const wireFindings = (text: string, findings: readonly Finding[]) => {
  const toCodePoints = inCodePoints(text, findings)
  return findings.map((finding) => ({ ...toCodePoints(finding), type: finding.type, score: wireScore(finding.score) }))
}

/** Claims as answers have them; detectors report the bad end as 1, answers the good one. */
export const wireClaims = (text: string, reference: string, claims: readonly Claim[]) => {
  const toCodePoints = inCodePoints(text, claims)
  const supportToCodePoints = inCodePoints(
    reference,
    claims.flatMap(({ support }) => support),
  )
  return claims.map((claim) => ({
    ...toCodePoints(claim),
    score: wireScore(1 - claim.score),
    support: claim.support.map(supportToCodePoints),
    differences: claim.differences,
  }))
}

const inCodePoints = (text: string, spans: readonly Span[]) => {
  const offsets = codePointOffsets(
    text,
    spans.flatMap(({ start, end }) => [start, end]),
  )
  return ({ start, end }: Span): Span => ({ start: offsets.get(start) ?? start, end: offsets.get(end) ?? end })
}
