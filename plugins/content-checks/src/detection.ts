/** What the detectors of this package have in common. */

import type { Finding, Inspection, OpenSpan } from '@sallyport/core'

/** Findings with less are not reported. */
const reportedFrom = 0.5

interface Told {
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
  { detector, begin, found = 'found', nothing = 'nothing found', ...more }: Told,
): Inspection => {
  const findings = all.filter(({ score }) => score >= reportedFrom)
  const types = [...new Set(findings.map(({ type }) => type))].sort()
  return {
    findings,
    score: all.reduce((most, { score }) => Math.max(most, score), 0),
    explanation: types.length ? `${found} ${types.join(', ')}` : nothing,
    detector,
    latency: performance.now() - begin,
    ...more,
  }
}

/** In order of their start; those that overlap as one. Neighbours stay two: between them a text may be cut. */
export const unitedSpans = (spans: readonly OpenSpan[]): OpenSpan[] => {
  const united: OpenSpan[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = united.at(-1)
    if (end <= start) continue
    if (last && start < last.end) last.end = Math.max(last.end, end)
    else united.push({ start, end })
  }
  return united
}

/** In order of their start, without those that lie in another one. */
export const withoutContained = (found: readonly Finding[]): Finding[] => {
  const kept: Finding[] = []
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end || b.score - a.score))
    if (one.end > (kept.at(-1)?.end ?? 0)) kept.push(one)
  return kept
}

/** A text that grows, without the first half of a pair whose second half has not come. */
export const withoutHalf = (text: string): string =>
  (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800 ? text.slice(0, -1) : text
