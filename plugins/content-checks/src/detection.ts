/** Helpers that the checks and detectors of this package share. */

import type { Finding, Inspection, OpenSpan } from '@sallyport/core'
import { maxOf } from '@sallyport/kit/lists'
import type { Span } from '@sallyport/kit/views'

/** The JSON Schema of names that an operator gives to types of findings. */
export const typeNames = {
  pattern: String.raw`^[A-Za-z][\w-]{0,45}$`,
  title: 'a name of at most 46 letters, digits, - and _, which begins with a letter',
} as const

/** Findings with a lower score are not reported. */
const minReportedScore = 0.5

interface Report {
  /** Name and version. */
  readonly detector: string
  /** When the inspection began, in milliseconds of `performance.now()`. */
  readonly begin: number
  /** The words before the types of findings in the explanation. */
  readonly introduction?: string
  /** The explanation where nothing was found. */
  readonly noFindings?: string
  readonly reason?: string
}

export const inspectionOf = (
  all: readonly Finding[],
  { detector, begin, introduction = 'found', noFindings = 'nothing found', ...more }: Report,
): Inspection => {
  const findings = all.filter(({ score }) => score >= minReportedScore)
  const types = [...new Set(findings.map(({ type }) => type))].sort()
  const scores = all.map(({ score }) => score)
  return {
    findings,
    score: maxOf(scores, 0),
    explanation: types.length ? `${introduction} ${types.join(', ')}` : noFindings,
    detector,
    latency: performance.now() - begin,
    ...more,
  }
}

/** Moves spans from `before + text` to the text alone. Spans that end in `before` are dropped. */
export const withinText = <Found extends Span>(before: string, found: readonly Found[]): Found[] =>
  found
    .filter(({ end }) => end > before.length)
    .map((one) => ({ ...one, start: Math.max(0, one.start - before.length), end: one.end - before.length }))

/** Sorts spans and merges those that overlap. Spans that only touch stay separate, as a text may be cut between them. */
export const mergeOverlapping = <Found extends Span>(
  found: readonly Found[],
  merge: (first: Found, other: Found) => Found = (first) => first,
) => {
  const result: Found[] = []
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1)
    if (one.end <= one.start) continue
    if (last && one.start < last.end)
      result[result.length - 1] = { ...merge(last, one), end: Math.max(last.end, one.end) }
    else result.push(one)
  }
  return result
}

/** The result of `openSpans`: start and end of each span, without other properties. */
export const openSpansOf = (found: readonly Span[]): { spans: OpenSpan[] } => ({
  spans: mergeOverlapping(found.map(({ start, end }) => ({ start, end }))),
})

/** Sorts findings by their start and drops those that lie within another one. */
export const withoutContained = (found: readonly Finding[]): Finding[] => {
  const kept: Finding[] = []
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end || b.score - a.score))
    if (one.end > (kept.at(-1)?.end ?? 0)) kept.push(one)
  return kept
}
