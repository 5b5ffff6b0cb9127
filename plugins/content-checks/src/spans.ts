/** What detectors of spans have in common. */

import type { Finding, Inspection, OpenSpan } from '@sallyport/core'

export const inspectionOf = (findings: Finding[], detector: string, begin: number): Inspection => ({
  findings,
  score: findings.reduce((worst, { score }) => Math.max(worst, score), 0),
  explanation: explanationOf(findings),
  detector,
  latency: performance.now() - begin,
})

const explanationOf = (findings: readonly Finding[]): string => {
  const types = [...new Set(findings.map(({ type }) => type))].sort()
  return types.length ? `found ${types.join(', ')}` : 'nothing found'
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
