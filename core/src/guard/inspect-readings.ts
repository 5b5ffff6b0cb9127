/** What the chain makes of one text, for whoever asks detectors by themselves. */

import type { Asking } from '../async/slots.js'
import type { Call } from '../capabilities/call.js'
import type { FactualityInspection } from '../capabilities/factuality.js'
import type { PiiCapability } from '../capabilities/pii.js'
import type { Finding } from '../capabilities/safeguard.js'
import { foundInReading } from './findings.js'
import { checkPii } from './personal-information.js'
import type { PiiPolicy } from './policy.js'
import { readingsInTime } from './long-readings.js'
import type { Reading } from './readings.js'

/**
 * A detector asked about every reading of a text: the gravest inspection, with the findings of all readings, each once,
 * and claims as spans of the text as it stands.
 * @param name of the detector's capability
 * @param inspect asks about one reading
 * @param asking whose text it is
 * @throws safeguard_unavailable for a text with more escapes than can be undone; what `inspect` throws
 */
export const inspectReadings = async (
  name: string,
  text: string,
  inspect: (reading: string) => Promise<FactualityInspection>,
  asking: Asking = nobody,
): Promise<FactualityInspection> => {
  const inspected: { readonly reading: Reading; readonly inspection: FactualityInspection }[] = []
  for (const reading of await readingsInTime('', text, asking))
    inspected.push({ reading, inspection: await inspect(reading.text) })
  const gravest = inspected.reduce((one, other) => (other.inspection.score > one.inspection.score ? other : one))
  if (inspected.length === 1) return gravest.inspection
  const { claims, ...told } = gravest.inspection
  return {
    ...told,
    findings: eachOnce(
      name,
      inspected.flatMap(({ reading, inspection }) => inText(name, reading, inspection.findings)),
    ),
    ...(claims && { claims: claims.map((claim) => ({ ...claim, ...gravest.reading.sourceOf(claim) })) }),
    latency: inspected.reduce((sum, { inspection }) => sum + inspection.latency, 0),
  }
}

const nobody: Asking = { tenant: '', signal: new AbortController().signal }

/** As the chain counts them: personal information has its place in every reading. */
const inText = (name: string, reading: Reading, findings: readonly Finding[]): Finding[] =>
  name === 'pii'
    ? findings.map((finding) => ({ ...finding, ...reading.sourceOf(finding) }))
    : foundInReading(reading, findings)

/**
 * By their place. What lies within another of the same type is left out, and personal information within any other; the
 * higher score stays.
 */
const eachOnce = (name: string, findings: readonly Finding[]): Finding[] => {
  const kept: Finding[] = []
  /** By type, of those so far the one that ends last. */
  const last = new Map<string, Finding>()
  for (const finding of findings.toSorted((a, b) => a.start - b.start || b.end - a.end || b.score - a.score)) {
    const type = name === 'pii' ? '' : finding.type
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
 * The text with its personal information replaced, in every reading, as the chain replaces it.
 * @throws content_blocked where JSON would be none any more, safeguard_unavailable; its cause is what the detector threw
 */
export const replaceInReadings = (
  text: string,
  { method, ignore }: Pick<PiiPolicy, 'method' | 'ignore'>,
  detector: PiiCapability,
  call: Call,
): Promise<string> =>
  checkPii({ mode: 'enforce', action: 'replace', onFailure: 'block', threshold: 0, budget, method, ignore }, text, {
    call,
    stage: 'input',
    detectors: { pii: detector, injection: undefined, toxicity: undefined, factuality: undefined },
    onVerdict: () => undefined,
    onFailure: () => undefined,
  })

/** Milliseconds: the call has a deadline of its own, and timers take no more than 2 ** 31. */
const budget = 100_000
