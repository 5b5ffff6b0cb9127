/** Several detectors of one check as one. */

import { failure } from '@sallyport/core'
import type { CheckPolicy, Finding, Inspection, Detector, SpanDetector } from '@sallyport/core'
import { append, countUpTo, maxOf, minOf } from '@sallyport/kit/lists'
import { validInspection } from './validity.js'

/** A detector, and from where on its scores count. */
export interface Part {
  readonly detector: Detector | undefined
  readonly threshold: number
}

/** What becomes of several scores, each on the scale of the policy's threshold. */
const combineScores: Readonly<Record<Combine, (scores: readonly number[]) => number>> = {
  any: (scores) => maxOf(scores),
  all: (scores) => minOf(scores),
  mean: (scores) => scores.reduce((sum, score) => sum + score, 0) / scores.length,
}

type Combine = NonNullable<CheckPolicy['combine']>

/**
 * Asks all of them. The score of each is put on the scale of the policy's threshold: its own threshold becomes that one,
 * 0 and 1 stay, and what lies between is stretched. So the policy decides about all of them with one threshold. One that
 * fails, or is missing, makes the whole fail.
 * @param name of the check
 */
export const combinedDetector = (
  name: string,
  parts: readonly Part[],
  { combine = 'any', threshold }: Pick<CheckPolicy, 'combine' | 'threshold'>,
): SpanDetector => {
  const detectors = parts.map((part) => ({ ...part, detector: orMissing(name, part.detector) }))
  // A detector that cannot read across values has no say about them: its silence would outvote the others.
  const across = detectors.filter(({ detector }) => detector.inspectAcross)
  const isOpenKnown = detectors.every(({ detector }) => detector.openSpans)
  /** Each is looked through for itself: joined, what one says wrongly could hide behind the others. */
  const joined = async (
    asked: typeof detectors,
    text: string,
    inspect: (detector: Present) => Promise<Inspection>,
  ): Promise<Inspection> => {
    const inspections = asked.map(async ({ detector, threshold: own }) =>
      onScale(validInspection(await inspect(detector), text), own, threshold),
    )
    return join(await Promise.all(inspections), combine)
  }
  const replacing = detectors[0]?.detector
  return {
    inspect: (request, call) => joined(detectors, request.text, (detector) => detector.inspect(request, call)),
    ...(across.length && {
      inspectAcross: (request, call) =>
        joined(across, request.values.map(({ text }) => text).join(''), (detector) =>
          (detector as Required<SpanDetector>).inspectAcross(request, call),
        ),
    }),
    ...(isOpenKnown && {
      openSpans: async (request, call) => {
        const open = detectors.map(({ detector }) => (detector as Required<SpanDetector>).openSpans(request, call))
        return { spans: (await Promise.all(open)).flatMap(({ spans }) => spans) }
      },
    }),
    ...(replacing?.replace && {
      replace: (request, call) => (replacing as Required<SpanDetector>).replace(request, call),
    }),
  }
}

type Present = Detector & Partial<SpanDetector>

const orMissing = (name: string, detector: Detector | undefined): Present =>
  detector ?? { inspect: () => Promise.reject(failure('capability_missing', { capability: name })) }

const onScale = (inspection: Inspection, own: number, common: number): Inspection => ({
  ...inspection,
  score: rescaled(inspection.score, own, common),
  findings: inspection.findings.map((finding) => ({ ...finding, score: rescaled(finding.score, own, common) })),
})

/** Piecewise linear: 0 → 0, the detector's own threshold → the common one, 1 → 1. */
const rescaled = (score: number, own: number, common: number): number => {
  if (own === common) return score
  if (score < own) return (score / own) * common
  return own === 1 ? 1 : common + ((score - own) / (1 - own)) * (1 - common)
}

/** What one says alone stays as it is. */
const join = (inspections: readonly Inspection[], combine: Combine): Inspection => {
  const [first, ...others] = inspections
  if (first && !others.length) return first
  const score = combineScores[combine](inspections.map((inspection) => inspection.score))
  const worst = inspections.reduce((one, other) => (other.score > one.score ? other : one))
  return {
    ...worst,
    score,
    findings: combine === 'all' ? overlapping(inspections) : unionOf(inspections),
    detector: inspections
      .map(({ detector }) => detector)
      .filter(Boolean)
      .join('+'),
    latency: inspections.reduce((most, { latency }) => Math.max(most, latency), 0),
  }
}

const unionOf = (inspections: readonly Inspection[]): Finding[] => {
  const findings: Finding[] = []
  for (const inspection of inspections) append(findings, inspection.findings)
  return findings.sort((a, b) => a.start - b.start || b.end - a.end)
}

/** Findings that overlap one of each of the others. */
const overlapping = (inspections: readonly Inspection[]): Finding[] => {
  const covers = inspections.map(({ findings }) => coverOf(findings))
  return unionOf(
    inspections.map((inspection, own) => ({
      ...inspection,
      findings: inspection.findings.filter((finding) =>
        covers.every((cover, at) => at === own || overlaps(cover, finding)),
      ),
    })),
  )
}

/** Where the stretches that findings cover begin and end; these lie apart, ascending. */
interface Cover {
  readonly starts: number[]
  readonly ends: number[]
}

const coverOf = (findings: readonly Finding[]): Cover => {
  const [starts, ends]: [number[], number[]] = [[], []]
  for (const { start, end } of findings.toSorted((a, b) => a.start - b.start)) {
    const last = ends.at(-1)
    if (last !== undefined && start <= last) ends[ends.length - 1] = Math.max(last, end)
    else {
      starts.push(start)
      ends.push(end)
    }
  }
  return { starts, ends }
}

const overlaps = ({ starts, ends }: Cover, { start, end }: Finding): boolean =>
  (starts[countUpTo(ends, start)] ?? Infinity) < end
