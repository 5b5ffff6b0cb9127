/** Combines several detectors of one check into one. */

import { failure } from '@sallyport/core'
import type { PolicyEntry, Finding, Inspection, Detector, SpanDetector } from '@sallyport/core'
import { append, countUpTo, maxOf, minOf } from '@sallyport/kit/lists'
import { validInspection } from './validity.js'

/** A detector with its own threshold. */
export interface DetectorWithThreshold {
  readonly detector: Detector | undefined
  readonly threshold: number
}

/** Combines scores that are on the scale of the policy's threshold. */
const combineScores: Readonly<Record<Combine, (scores: readonly number[]) => number>> = {
  any: (scores) => maxOf(scores),
  all: (scores) => minOf(scores),
  mean: (scores) => scores.reduce((sum, score) => sum + score, 0) / scores.length,
}

type Combine = NonNullable<PolicyEntry['combine']>

/**
 * Asks all detectors. Each score is rescaled so that the detector's own threshold becomes the policy's, while 0 and 1
 * stay: the policy then decides with one threshold. If a detector fails or is missing, the combined one fails.
 * @param name of the check
 */
export const combinedDetector = (
  name: string,
  detectors: readonly DetectorWithThreshold[],
  { combine = 'any', threshold }: Pick<PolicyEntry, 'combine' | 'threshold'>,
): SpanDetector => {
  const callable = detectors.map((part) => ({ ...part, detector: detectorOrFailing(name, part.detector) }))
  // Detectors that cannot read across values are not asked: the score 0 for each of them would outvote the others.
  const across = callable.filter(({ detector }) => detector.inspectAcross)
  const haveOpenSpans = callable.every(({ detector }) => detector.openSpans)
  /** Validates each inspection by itself: combining them could hide an invalid one. */
  const askAll = async (
    subset: typeof callable,
    text: string,
    inspect: (detector: AnyDetector) => Promise<Inspection>,
  ): Promise<Inspection> => {
    const inspections = subset.map(async ({ detector, threshold: ownThreshold }) =>
      rescaleInspection(validInspection(await inspect(detector), text), ownThreshold, threshold),
    )
    return combineInspections(await Promise.all(inspections), combine)
  }
  const replacer = callable[0]?.detector
  return {
    inspect: (request, call) => askAll(callable, request.text, (detector) => detector.inspect(request, call)),
    ...(across.length && {
      inspectAcross: (request, call) =>
        askAll(across, request.values.map(({ text }) => text).join(''), (detector) =>
          (detector as Required<SpanDetector>).inspectAcross(request, call),
        ),
    }),
    ...(haveOpenSpans && {
      openSpans: async (request, call) => {
        const open = callable.map(({ detector }) => (detector as Required<SpanDetector>).openSpans(request, call))
        return { spans: (await Promise.all(open)).flatMap(({ spans }) => spans) }
      },
    }),
    ...(replacer?.replace && {
      replace: (request, call) => (replacer as Required<SpanDetector>).replace(request, call),
    }),
  }
}

type AnyDetector = Detector & Partial<SpanDetector>

const detectorOrFailing = (name: string, detector: Detector | undefined): AnyDetector =>
  detector ?? { inspect: () => Promise.reject(failure('capability_missing', { capability: name })) }

const rescaleInspection = (inspection: Inspection, own: number, common: number): Inspection => ({
  ...inspection,
  score: rescaleScore(inspection.score, own, common),
  findings: inspection.findings.map((finding) => ({ ...finding, score: rescaleScore(finding.score, own, common) })),
})

/** Piecewise linear: 0 → 0, the detector's own threshold → the common one, 1 → 1. */
const rescaleScore = (score: number, own: number, common: number): number => {
  if (own === common) return score
  if (score < own) return (score / own) * common
  return own === 1 ? 1 : common + ((score - own) / (1 - own)) * (1 - common)
}

/** A single inspection stays unchanged. */
const combineInspections = (inspections: readonly Inspection[], combine: Combine): Inspection => {
  const [first, ...others] = inspections
  if (first && !others.length) return first
  const score = combineScores[combine](inspections.map((inspection) => inspection.score))
  const worst = inspections.reduce((one, other) => (other.score > one.score ? other : one))
  return {
    ...worst,
    score,
    findings: combine === 'all' ? overlapping(inspections) : sortedUnion(inspections),
    detector: inspections
      .map(({ detector }) => detector)
      .filter(Boolean)
      .join('+'),
    latency: inspections.reduce((max, { latency }) => Math.max(max, latency), 0),
  }
}

const sortedUnion = (inspections: readonly Inspection[]): Finding[] => {
  const findings: Finding[] = []
  for (const inspection of inspections) append(findings, inspection.findings)
  return findings.sort((a, b) => a.start - b.start || b.end - a.end)
}

/** Findings that overlap a finding of every other inspection. */
const overlapping = (inspections: readonly Inspection[]): Finding[] => {
  const covers = inspections.map(({ findings }) => coverOf(findings))
  return sortedUnion(
    inspections.map((inspection, own) => ({
      ...inspection,
      findings: inspection.findings.filter((finding) =>
        covers.every((cover, at) => at === own || overlaps(cover, finding)),
      ),
    })),
  )
}

/** The starts and ends of the disjoint ranges that findings cover, ascending. */
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
