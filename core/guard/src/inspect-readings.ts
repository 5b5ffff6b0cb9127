/** What the chain makes of one text, for whoever asks detectors by themselves. */

import type { Asking } from '@sallyport/kit/async'
import { isSallyportError } from '@sallyport/core'
import type {
  Call,
  ComparisonInspection,
  AcrossRequest,
  SpanDetector,
  Finding,
  Inspection,
  PiiPolicy,
} from '@sallyport/core'
import { readingsInTime } from '@sallyport/kit/views'
import type { Reading } from '@sallyport/kit/views'
import type { CheckContext } from './checks.js'
import { foundInReading } from './findings.js'
import { foundIn } from './places.js'
import { checkPii } from './personal-information.js'
import { placesAcrossJson } from './values/across-values.js'

export interface AskAcross extends Pick<PiiPolicy, 'ignore'> {
  readonly inspect: (request: AcrossRequest) => Promise<Inspection>
}

/**
 * A detector asked about every reading of a text: the gravest inspection, with the findings of all readings, each once,
 * and claims as spans of the text as it stands.
 * @param name of the detector's capability
 * @param inspect asks about one reading
 * @param asking whose text it is
 * @param across asks about values of the text that stand beside each other
 * @throws safeguard_unavailable for a text with more escapes than can be undone; what `inspect` throws
 */
export const inspectReadings = async (
  name: string,
  text: string,
  inspect: (reading: string) => Promise<ComparisonInspection>,
  asking: Asking = nobody,
  across?: AskAcross,
): Promise<ComparisonInspection> => {
  const inspected: { readonly reading: Reading; readonly inspection: ComparisonInspection }[] = []
  for (const reading of await readingsInTime('', text, asking))
    inspected.push({ reading, inspection: await inspect(reading.text) })
  const split = across ? await splitIn(text, across, asking) : []
  const gravest = inspected.reduce((one, other) => (other.inspection.score > one.inspection.score ? other : one))
  if (inspected.length === 1 && !split.length) return gravest.inspection
  const { claims, ...told } = gravest.inspection
  return {
    ...told,
    score: split.reduce((most, { score }) => Math.max(most, score), told.score),
    findings: eachOnce(name, [
      ...inspected.flatMap(({ reading, inspection }) => inText(name, reading, inspection.findings)),
      ...split,
    ]),
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
  detector: SpanDetector,
  call: Call,
): Promise<string> => checkPii(replacing(method, ignore), text, contextOf(detector, call))

/** What a served model finds across values: nothing where it does not read them together. @throws what `ask` throws */
export const acrossIfOffered = async (ask: () => Promise<Inspection>): Promise<Inspection> => {
  try {
    return await ask()
  } catch (error) {
    if (!isSallyportError(error) || error.code !== 'unsupported') throw error
    return { findings: [], score: 0, explanation: '', detector: '', latency: 0 }
  }
}

/** What values of the text say together: in each of them, its part. @throws safeguard_unavailable */
const splitIn = async (text: string, { inspect, ignore }: AskAcross, asking: Asking): Promise<Finding[]> => {
  const unasked = () => Promise.reject(new Error('only values are read'))
  const detector: SpanDetector = { inspect: unasked, replace: unasked, inspectAcross: inspect }
  const context = contextOf(detector, { ...asking, deadline: Infinity, requestId: '' })
  const places = await placesAcrossJson(replacing('mask', ignore), text, context)
  return places.map(foundIn)
}

const replacing = (method: PiiPolicy['method'], ignore: PiiPolicy['ignore']): PiiPolicy => ({
  ...{ mode: 'enforce', action: 'replace', onFailure: 'block', threshold: 0, budget, method, ignore },
})

const contextOf = (detector: SpanDetector, call: Call): CheckContext => ({
  call,
  stage: 'input',
  detectors: { pii: detector, injection: undefined, toxicity: undefined, factuality: undefined },
  onVerdict: () => undefined,
  onFailure: () => undefined,
})

/** Milliseconds: the call has a deadline of its own, and timers take no more than 2 ** 31. */
const budget = 100_000
