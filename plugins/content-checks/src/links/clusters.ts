/**
 * Removing a finding joins the text before and after it, which may form a new address or image. So each finding and the
 * text that it touches are searched again as they would read after the removal.
 */

import type { Finding } from '@sallyport/core'
import type { Pacer } from '@sallyport/kit/async'
import { append } from '@sallyport/kit/lists'
import type { Span } from '@sallyport/kit/views'
import type { Violation } from './violations.js'
import { isAtLineStart } from './scan.js'
import { mergeOverlapping, withoutContained } from '../detection.js'

/** The maximum length of a run without whitespace on each side, in UTF-16 code units. */
const maxRunLength = 256

/** Addresses end where scripts begin that put no spaces between words. */
const inRun = /[^\s\u2e80-\uffff]/
const isInRun = (text: string, at: number): boolean => inRun.test(text[at] ?? ' ')

/** A label, which becomes an image or a definition after `!` or the start of a line when what is between is removed. */
const labelAfter = /[ \t>*+\-\d.)!]*\[/y

/** Widens a span by the runs that it touches, and by a label after it. */
export const withNeighbours = (text: string, span: Span): Span => {
  let { start, end } = span
  while (start > span.start - maxRunLength && isInRun(text, start - 1)) start -= 1
  while (end < span.end + maxRunLength && isInRun(text, end)) end += 1
  labelAfter.lastIndex = span.end
  const mayBeginConstruct = text[span.start - 1] === '!' || isAtLineStart(text, span.start)
  if (mayBeginConstruct && labelAfter.test(text)) end = Math.min(text.length, span.end + maxRunLength)
  return { start, end }
}

/** Finds the constructs in a text that must be removed. */
export type Search = (text: string) => Promise<readonly Violation[]>

export const findingsOf = async (
  text: string,
  violations: readonly Violation[],
  search: Search,
  pacer: Pacer,
): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (const cluster of await clustersOf(text, violations, pacer)) {
    append(findings, await findingsIn(text, cluster, search))
    await pacer.pause()
  }
  return findings
}

interface Cluster extends Span {
  readonly violations: readonly Violation[]
}

const clustersOf = async (text: string, violations: readonly Violation[], pacer: Pacer): Promise<Cluster[]> => {
  const clusters: { start: number; end: number; violations: Violation[] }[] = []
  for (const one of violations.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const span = withNeighbours(text, one)
    const last = clusters.at(-1)
    if (last && span.start <= last.end) {
      last.violations.push(one)
      last.end = Math.max(last.end, span.end)
    } else clusters.push({ ...span, violations: [one] })
    if (clusters.length % 256 === 0) await pacer.pause()
  }
  return clusters
}

/** How often a cluster is searched again, and its maximum length in UTF-16 code units; beyond these all is removed. */
const [maxRounds, maxClusterLength] = [8, 65_536]

const findingsIn = async (text: string, { start, end, violations }: Cluster, search: Search): Promise<Finding[]> => {
  const removed = violations.flatMap(({ type, score, parts }) => parts.map((part) => ({ type, score, ...part })))
  let found = withoutContained(removed)
  for (let round = 0; round < maxRounds && end - start <= maxClusterLength; round += 1) {
    const remaining = textWithout(text, { start, end }, found)
    const others = await search(remaining.text)
    if (!others.length) return found
    const spans = others.map(({ type, score, ...span }) => ({ type, score, ...remaining.spanOf(span) }))
    found = withoutContained(mergeOverlapping([...found, ...spans], withBestScore))
  }
  const [worst] = found.toSorted((a, b) => b.score - a.score)
  return worst ? [{ ...worst, start, end }] : []
}

const withBestScore = (a: Finding, b: Finding): Finding => ({ ...a, score: Math.max(a.score, b.score) })

/** The text of a span without its findings, and a map of offsets to the original text. */
const textWithout = (text: string, { start, end }: Span, found: readonly Finding[]) => {
  const offsets: number[] = []
  let at = start
  for (const one of [...found, { start: end, end }]) {
    for (; at < one.start; at += 1) offsets.push(at)
    at = Math.max(at, one.end)
  }
  return {
    text: offsets.map((offset) => text[offset]).join(''),
    spanOf: (span: Span): Span => ({ start: offsets[span.start] ?? end, end: (offsets[span.end - 1] ?? end - 1) + 1 }),
  }
}
