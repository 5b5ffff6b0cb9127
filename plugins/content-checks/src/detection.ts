/** What the detectors of this package have in common. */

import type { Finding, Inspection, OpenSpan } from '@sallyport/core'
import { maxOf } from '@sallyport/kit/lists'
import type { Span } from '@sallyport/kit/views'

/** Findings with less are not reported. */
const reportedFrom = 0.5

interface Report {
  /** Name and version. */
  readonly detector: string
  /** When the detector was asked, as `performance.now()` has it. */
  readonly begin: number
  /** What stands before the types of findings in the explanation. */
  readonly found?: string
  /** The explanation where there are none. */
  readonly nothing?: string
  readonly reason?: string
}

export const inspectionOf = (
  all: readonly Finding[],
  { detector, begin, found = 'found', nothing = 'nothing found', ...more }: Report,
): Inspection => {
  const findings = all.filter(({ score }) => score >= reportedFrom)
  const types = [...new Set(findings.map(({ type }) => type))].sort()
  return {
    findings,
    score: maxOf(
      all.map(({ score }) => score),
      0,
    ),
    explanation: types.length ? `${found} ${types.join(', ')}` : nothing,
    detector,
    latency: performance.now() - begin,
    ...more,
  }
}

/** Finds of a text and what stands before it, as spans of the text alone: what ends before it is left out. */
export const behind = <Found extends Span>(before: string, found: readonly Found[]): Found[] =>
  found
    .filter(({ end }) => end > before.length)
    .map((one) => ({ ...one, start: Math.max(0, one.start - before.length), end: one.end - before.length }))

/**
 * Spans in order, those that overlap as one, which says what the first does. Neighbours stay two: a text may be cut
 * between them.
 */
export const united = <Found extends Span>(
  found: readonly Found[],
  joined: (first: Found, other: Found) => Found = (first) => first,
) => {
  const result: Found[] = []
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1)
    if (one.end <= one.start) continue
    if (last && one.start < last.end)
      result[result.length - 1] = { ...joined(last, one), end: Math.max(last.end, one.end) }
    else result.push(one)
  }
  return result
}

/** Open spans alone, where what they are made of says more. */
export const openSpansOf = (found: readonly Span[]): { spans: OpenSpan[] } => ({
  spans: united(found.map(({ start, end }) => ({ start, end }))),
})

/** Findings in order of their start, without those that lie in another one. */
export const withoutContained = (found: readonly Finding[]): Finding[] => {
  const kept: Finding[] = []
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end || b.score - a.score))
    if (one.end > (kept.at(-1)?.end ?? 0)) kept.push(one)
  return kept
}

/** A text that grows, without the first half of a pair whose second half has not come. */
export const withoutHalf = (text: string): string =>
  (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800 ? text.slice(0, -1) : text
