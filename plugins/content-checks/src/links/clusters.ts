/**
 * What is removed leaves what stands before and behind it side by side, and that may be an address, or an image, that
 * stood nowhere before. So what is found is looked at again with what it touches, as it would be read without it.
 */

import type { Finding } from '@sallyport/core'
import type { Span } from '@sallyport/kit/views'
import type { Construct } from './constructs.js'

/** A construct that must not stay. */
export interface Judged extends Construct {
  readonly score: number
}

/** UTF-16 units of ASCII without a blank that it may touch on each side. */
const longestRun = 256

/** With all that it touches. */
export const withNeighbours = (text: string, { start, end }: Span): Span => {
  const before = /[!-~]*$/.exec(text.slice(Math.max(0, start - longestRun), start))?.[0].length ?? 0
  const behind = /^[!-~]*/.exec(text.slice(end, end + longestRun))?.[0].length ?? 0
  return { start: start - before, end: end + behind }
}

/** What must not stay of a text. */
export type Judge = (text: string) => readonly Judged[]

export const findingsOf = (text: string, judged: readonly Judged[], judge: Judge): Finding[] =>
  clustersOf(text, judged).flatMap((cluster) => findingsIn(text, cluster, judge))

interface Cluster extends Span {
  readonly judged: readonly Judged[]
}

const clustersOf = (text: string, judged: readonly Judged[]): Cluster[] => {
  const clusters: { start: number; end: number; judged: Judged[] }[] = []
  for (const one of judged.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const span = withNeighbours(text, one)
    const last = clusters.at(-1)
    if (last && span.start <= last.end) {
      last.judged.push(one)
      last.end = Math.max(last.end, span.end)
    } else clusters.push({ ...span, judged: [one] })
  }
  return clusters
}

/** Times that what is left is looked at again; then nothing is left. */
const mostRounds = 8

const findingsIn = (text: string, { start, end, judged }: Cluster, judge: Judge): Finding[] => {
  let found = withoutContained(
    judged.flatMap(({ type, score, parts }) => parts.map((part) => ({ type, score, start: part.start, end: part.end }))),
  )
  for (let round = 0; round < mostRounds; round += 1) {
    const left = without(text, { start, end }, found)
    const others = judge(left.text)
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
