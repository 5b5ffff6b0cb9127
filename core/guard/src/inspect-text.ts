/** Runs one check on one text by itself, outside of the chain: for `Kernel.inspect`. */

import type { Call, ComparisonInspection, Finding, InspectionRequest } from '@sallyport/core'
import { readingsInTime } from '@sallyport/kit/views'
import type { Reading } from '@sallyport/kit/views'
import { findsSpans } from './policy/active-check.js'
import type { ActiveCheck, SpanCheck } from './policy/active-check.js'
import type { CheckContext } from './detect/checks.js'
import { findingInText } from './detect/matches.js'
import { validComparison } from './detect/validity.js'
import { cutPassages } from './replace/cut.js'
import { checkSpans } from './replace/spans.js'
import { findMatchesAcrossJson } from './values/across-values.js'

/**
 * Asks the detector about every reading of a text. Returns the inspection with the highest score, with the findings of
 * all readings without duplicates. All spans are spans of the original text.
 * @throws safeguard_unavailable for a text with more escapes than can be undone; TypeError for invalid scores and
 *   spans; what the detector throws
 */
export const inspectText = async (
  check: ActiveCheck,
  request: InspectionRequest,
  call: Call,
): Promise<ComparisonInspection> => {
  const inspected: { readonly reading: Reading; readonly inspection: ComparisonInspection }[] = []
  for (const reading of await readingsInTime('', request.text, call))
    inspected.push({ reading, inspection: await inspectReading(check, { ...request, text: reading.text }, call) })
  const acrossJson = findsSpans(check) ? await findingsAcrossJson(check, request.text, call) : []
  const worst = inspected.reduce((one, other) => (other.inspection.score > one.inspection.score ? other : one))
  if (inspected.length === 1 && !acrossJson.length) return worst.inspection
  const { claims, ...inspection } = worst.inspection
  return {
    ...inspection,
    score: acrossJson.reduce((max, { score }) => Math.max(max, score), inspection.score),
    findings: deduplicate(check, [
      ...inspected.flatMap(({ reading, inspection }) =>
        inspection.findings.map((finding) => ({ ...finding, ...reading.sourceOf(finding) })),
      ),
      ...acrossJson,
    ]),
    ...(claims && { claims: claims.map((claim) => ({ ...claim, ...worst.reading.sourceOf(claim) })) }),
    latency: inspected.reduce((sum, { inspection }) => sum + inspection.latency, 0),
  }
}

/** Findings of types that the policy ignores are left out, though the detector may report them. */
const inspectReading = async (
  { detector, entry: { ignore, options } }: ActiveCheck,
  request: InspectionRequest,
  call: Call,
): Promise<ComparisonInspection> => {
  const detectorRequest = { ...request, ...(ignore ? { ignore } : {}), ...(options ? { options } : {}) }
  const inspection = validComparison(
    (await detector?.inspect(detectorRequest, call)) as ComparisonInspection,
    detectorRequest,
  )
  return ignore?.length
    ? { ...inspection, findings: inspection.findings.filter(({ type }) => !ignore.includes(type)) }
    : inspection
}

/**
 * Sorts findings by position and drops those inside another one of the same type or, for checks that find spans, of any
 * type. The higher score is kept.
 */
const deduplicate = (check: ActiveCheck, findings: readonly Finding[]): Finding[] => {
  const kept: Finding[] = []
  /** For each type, the finding so far that ends last. */
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
 * The text with the findings of every reading replaced, as the chain replaces them.
 * @param check one with methods
 * @throws content_blocked where a replacement would make JSON invalid, or what remains is flagged, too;
 *   safeguard_unavailable, whose cause is what the detector threw
 */
export const replaceInText = (check: ActiveCheck, request: InspectionRequest, call: Call): Promise<string> => {
  const replacing = asReplacing(check)
  return findsSpans(check)
    ? checkSpans(replacing, request.text, contextOf(call))
    : cutPassages(replacing, request, contextOf(call))
}

/**
 * The findings that are split over values of JSON in the text: one for the part in each value.
 * @throws safeguard_unavailable
 */
const findingsAcrossJson = async (check: SpanCheck, text: string, call: Call): Promise<Finding[]> =>
  (await findMatchesAcrossJson(asReplacing(check), text, contextOf(call))).map(findingInText)

const asReplacing = ({ entry, ...check }: ActiveCheck): SpanCheck => ({
  ...check,
  entry: { method: 'category', ...entry, mode: 'enforce', action: 'replace', onFailure: 'block', budget },
})

const contextOf = (call: Call): CheckContext => ({
  call,
  stage: 'input',
  onVerdict: () => undefined,
  onFailure: () => undefined,
})

/** In milliseconds. The call has its own deadline; Infinity is too much for a timer. */
const budget = 100_000
