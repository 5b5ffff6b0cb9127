/**
 * What is removed leaves what stands before and behind it side by side, and that may be an address, or an image, that
 * stood nowhere before. So what is found is looked at again with what it touches, as it would be read without it.
 */

import type { Finding } from '@sallyport/core'
import type { Pacer } from '@sallyport/kit/async'
import type { Span } from '@sallyport/kit/views'
import type { Judged } from './judge.js'

/** UTF-16 units without a blank that it may touch on each side. */
const longestRun = 256

/** Addresses end where scripts begin that put no spaces between words. */
const inRun = /[^\s\u2e80-\uffff]/
const isInRun = (text: string, at: number): boolean => inRun.test(text[at] ?? ' ')

/** With all that it touches. */
export const withNeighbours = (text: string, span: Span): Span => {
  let { start, end } = span
  while (start > span.start - longestRun && isInRun(text, start - 1)) start -= 1
  while (end < span.end + longestRun && isInRun(text, end)) end += 1
  return { start, end }
}

/** What must not stay of a text. */
export type Judge = (text: string) => Promise<readonly Judged[]>

export const findingsOf = async (
  text: string,
  judged: readonly Judged[],
  judge: Judge,
  pacer: Pacer,
): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (const cluster of await clustersOf(text, judged, pacer)) {
    for (const finding of await findingsIn(text, cluster, judge)) findings.push(finding)
    await pacer.pause()
  }
  return findings
}

interface Cluster extends Span {
  readonly judged: readonly Judged[]
}

const clustersOf = async (text: string, judged: readonly Judged[], pacer: Pacer): Promise<Cluster[]> => {
  const clusters: { start: number; end: number; judged: Judged[] }[] = []
  for (const one of judged.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const span = withNeighbours(text, one)
    const last = clusters.at(-1)
    if (last && span.start <= last.end) {
      last.judged.push(one)
      last.end = Math.max(last.end, span.end)
    } else clusters.push({ ...span, judged: [one] })
    if (clusters.length % 256 === 0) await pacer.pause()
  }
  return clusters
}

/** Times that what is left is looked at again; then nothing is left, as of a cluster of more UTF-16 units than this. */
const [mostRounds, longestCluster] = [8, 65_536]

const findingsIn = async (text: string, { start, end, judged }: Cluster, judge: Judge): Promise<Finding[]> => {
  let found = withoutContained(
    judged.flatMap(({ type, score, parts }) =>
      parts.map((part) => ({ type, score, start: part.start, end: part.end })),
    ),
  )
  for (let round = 0; round < mostRounds && end - start <= longestCluster; round += 1) {
    const left = without(text, { start, end }, found)
    const others = await judge(left.text)
    if (!others.length) return found
    const spans = others.map(({ type, score, ...span }) => ({ type, score, ...left.spanOf(span) }))
    found = withoutContained(united([...found, ...spans]))
  }
  const [worst] = found.toSorted((a, b) => b.score - a.score)
  return worst ? [{ ...worst, start, end }] : []
}

/** The text of a span without what is found in it, and where parts of that stand in the text. */
const without = (text: string, { start, end }: Span, found: readonly Finding[]) => {
  const places: number[] = []
  let at = start
  for (const one of [...found, { start: end, end }]) {
    for (; at < one.start; at += 1) places.push(at)
    at = Math.max(at, one.end)
  }
  return {
    text: places.map((place) => text[place]).join(''),
    spanOf: (span: Span): Span => ({ start: places[span.start] ?? end, end: (places[span.end - 1] ?? end - 1) + 1 }),
  }
}

/** Those that overlap as one, of the first one's type and the best score. */
const united = (found: readonly Finding[]): Finding[] => {
  const kept: Finding[] = []
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1)
    if (last && one.start < last.end) {
      last.end = Math.max(last.end, one.end)
      last.score = Math.max(last.score, one.score)
    } else kept.push({ ...one })
  }
  return kept
}

const withoutContained = (found: readonly Finding[]): Finding[] => {
  const kept: Finding[] = []
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end || b.score - a.score))
    if (one.end > (kept.at(-1)?.end ?? 0)) kept.push(one)
  return kept
}
