import { maxOf, minOf } from '@sallyport/kit/lists'
import type { Finding } from '@sallyport/core'
import type { Pacer } from '@sallyport/kit/async'
import { joinsNeighbours } from './neighbours.js'

/** The minimum score with which a finding stays although a better one overlaps it. */
const sureScore = 0.85

/**
 * Resolves overlaps: the finding with the best score stays, and others with a very high score; locations are merged.
 * Where a dropped number has digits outside the better finding, that one is widened to cover them. The result is sorted
 * by start.
 */
export const resolveOverlaps = async <Some extends Finding>(
  findings: readonly Some[],
  text: string,
  pacer: Pacer,
): Promise<Some[]> => {
  const result: Some[] = []
  let cluster: Some[] = []
  let end = 0
  const settle = async () => {
    for (const finding of await resolveCluster(cluster, text, pacer)) result.push(finding)
    cluster = []
  }
  for (const finding of findings.toSorted(inOrder)) {
    if (finding.start >= end) await settle()
    cluster.push(finding)
    end = Math.max(end, finding.end)
    await pacer.pause()
  }
  await settle()
  return result
}

const inOrder = (a: Finding, b: Finding) => a.start - b.start || a.end - b.end

const lengthOf = ({ start, end }: Finding) => end - start

/** Resolves findings that overlap directly or through others. */
const resolveCluster = async <Some extends Finding>(
  cluster: readonly Some[],
  text: string,
  pacer: Pacer,
): Promise<readonly Some[]> => {
  if (cluster.length < 2) return cluster
  let kept: Some[] = []
  const bestFirst = (a: Finding, b: Finding) => b.score - a.score || lengthOf(b) - lengthOf(a) || a.start - b.start
  for (const finding of cluster.toSorted(bestFirst)) {
    const overlapping = kept.filter((one) => one.start < finding.end && finding.start < one.end)
    const [best] = overlapping
    const all = [finding, ...overlapping]
    const isSure = finding.score >= sureScore && !overlapping.some((one) => covers(one, finding))
    if (best && all.every(({ type }) => joinsNeighbours(type))) {
      const [start, end] = [minOf(all.map((one) => one.start)), maxOf(all.map((one) => one.end))]
      kept = [...kept.filter((one) => !overlapping.includes(one)), { ...best, start, end }]
    } else if (best && overlapping.every((one) => isWholeNameOf(finding, one, text)))
      kept = [...kept.filter((one) => !overlapping.includes(one)), { ...finding, score: best.score }]
    else if (!best || isSure) kept.push(finding)
    else {
      const better = overlapping.find((one) => sharesDigit(finding, one, text))
      if (better && hasUncoveredDigit(finding, overlapping, text)) kept = widened(kept, better, finding)
    }
    await pacer.pause()
  }
  return kept.sort(inOrder)
}

/**
 * Whether a finding is a whole name and the other a part of it: of rare names, models find parts only. A pattern may
 * have gone on in another script, where models do not.
 */
const isWholeNameOf = (one: Finding, part: Finding, text: string): boolean =>
  one.type === 'PERSON' &&
  part.type === 'PERSON' &&
  covers(one, part) &&
  !/\p{Script=Latin}.*(?!\p{Script=Latin})\p{L}/u.test(text.slice(one.start, one.end))

const hasDigit = (text: string): boolean => /\p{Nd}/u.test(text)

const sharesDigit = (one: Finding, other: Finding, text: string): boolean =>
  hasDigit(text.slice(Math.max(one.start, other.start), Math.min(one.end, other.end)))

const hasUncoveredDigit = ({ start, end }: Finding, others: readonly Finding[], text: string): boolean => {
  let from = start
  for (const other of others.toSorted(inOrder)) {
    if (hasDigit(text.slice(from, Math.max(from, other.start)))) return true
    from = Math.max(from, other.end)
  }
  return hasDigit(text.slice(from, Math.max(from, end)))
}

/** Widens the better finding to cover both, and drops those that it then covers. */
const widened = <Some extends Finding>(kept: readonly Some[], better: Some, other: Finding): Some[] => {
  const wide = { ...better, start: Math.min(better.start, other.start), end: Math.max(better.end, other.end) }
  return [...kept.filter((one) => !covers(wide, one)), wide]
}

const covers = (one: Finding, other: Finding) => one.start <= other.start && other.end <= one.end
