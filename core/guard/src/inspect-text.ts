/** What a check says of one text, for whoever asks it by itself. */

import type { Requester } from '@sallyport/kit/async'
import type { Call, ComparisonInspection, Finding, InspectionRequest } from '@sallyport/core'
import { readingsInTime } from '@sallyport/kit/views'
import type { Reading } from '@sallyport/kit/views'
import { findsSpans } from './policy/active-check.js'
import type { ActiveCheck, SpanCheck } from './policy/active-check.js'
import type { CheckContext } from './detect/checks.js'
import { foundInReading } from './detect/findings.js'
import { foundIn } from './detect/places.js'
import { validComparison } from './detect/validity.js'
import { checkSpans } from './replace/spans.js'
import { placesAcrossJson } from './values/across-values.js'

/**
 * A detector asked about every reading of a text: the worst inspection, with the findings of all readings, each once,
 * and claims as spans of the text as it stands.
 * @throws safeguard_unavailable for a text with more escapes than can be undone; what the detector throws, and TypeError
 *   for scores and spans that cannot be
 */
export const inspectText = async (
  check: ActiveCheck,
  request: InspectionRequest,
  call: Call,
): Promise<ComparisonInspection> => {
  const inspected: { readonly reading: Reading; readonly inspection: ComparisonInspection }[] = []
  for (const reading of await readingsInTime('', request.text, call))
    inspected.push({ reading, inspection: await inspectReading(check, { ...request, text: reading.text }, call) })
  const split = findsSpans(check) ? await splitIn(check, request.text, call) : []
  const worst = inspected.reduce((one, other) => (other.inspection.score > one.inspection.score ? other : one))
  if (inspected.length === 1 && !split.length) return worst.inspection
  const { claims, ...told } = worst.inspection
  return {
    ...told,
    score: split.reduce((most, { score }) => Math.max(most, score), told.score),
    findings: eachOnce(check, [
      ...inspected.flatMap(({ reading, inspection }) => inText(check, reading, inspection.findings)),
      ...split,
    ]),
    ...(claims && { claims: claims.map((claim) => ({ ...claim, ...worst.reading.sourceOf(claim) })) }),
    latency: inspected.reduce((sum, { inspection }) => sum + inspection.latency, 0),
  }
}

/** Findings of types that the policy ignores are left out, though the detector may report them. */
const inspectReading = async (
  { detector, policy: { ignore, options } }: ActiveCheck,
  request: InspectionRequest,
  call: Call,
): Promise<ComparisonInspection> => {
  const asked = { ...request, ...(ignore ? { ignore } : {}), ...(options ? { options } : {}) }
  const inspection = validComparison((await detector?.inspect(asked, call)) as ComparisonInspection, asked)
  return ignore?.length
    ? { ...inspection, findings: inspection.findings.filter(({ type }) => !ignore.includes(type)) }
    : inspection
}

/** The findings as the chain counts them: what may be replaced has its place in every reading. */
const inText = (check: ActiveCheck, reading: Reading, findings: readonly Finding[]): Finding[] =>
  findsSpans(check)
    ? findings.map((finding) => ({ ...finding, ...reading.sourceOf(finding) }))
    : foundInReading(reading, findings)

/**
 * By their place. What lies within another of the same type is left out, and what may be replaced within any other; the
 * higher score stays.
 */
const eachOnce = (check: ActiveCheck, findings: readonly Finding[]): Finding[] => {
  const kept: Finding[] = []
  /** By type, of those so far the one that ends last. */
  const last = new Map<string, Finding>()
  for (const finding of findings.toSorted((a, b) => a.start - b.start || b.end - a.end || b.score - a.score)) {
    const type = findsSpans(check) ? '' : finding.type
    const before = last.get(type)
    if (before && finding.end <= before.end) before.score = Math.max(before.score, finding.score)
    else {
      const own = { ...finding }
      last.set(type, own)
      kept.push(own)
    }
  }
  return kept
}

/**
 * The text with what is found replaced, in every reading, as the chain replaces it.
 * @throws content_blocked where JSON would be none any more, safeguard_unavailable; its cause is what the detector threw
 */
export const replaceInText = (check: SpanCheck, text: string, call: Call): Promise<string> =>
  checkSpans(replacing(check), text, contextOf(call))

/** What values of the text say together: in each of them, its part. @throws safeguard_unavailable */
const splitIn = async (check: SpanCheck, text: string, asking: Requester): Promise<Finding[]> => {
  const call = { ...asking, deadline: Infinity, requestId: '' }
  const places = await placesAcrossJson(replacing(check), text, contextOf(call))
  return places.map(foundIn)
}

const replacing = (check: SpanCheck): SpanCheck => ({
  ...check,
  policy: { ...check.policy, mode: 'enforce', action: 'replace', onFailure: 'block', budget },
})

const contextOf = (call: Call): CheckContext => ({
  call,
  stage: 'input',
  onVerdict: () => undefined,
  onFailure: () => undefined,
})

/** Milliseconds: the call has a deadline of its own, and timers take no more than 2 ** 31. */
const budget = 100_000
