import type { Finding, Pacer } from '@sallyport/core'
import { joinsNeighbours } from './neighbours.js'

/** From this score on, a finding stays though another one overlaps it. */
const sure = 0.85

/**
 * Without what a better finding contradicts: of overlapping ones, the better stays, and others that are sure; places
 * become one. Of a number that goes on beside a better finding nothing is left out: the better one grows. In order of
 * their start.
 */
export const resolved = async <Some extends Finding>(
  findings: readonly Some[],
  text: string,
  pacer: Pacer,
): Promise<Some[]> => {
  const result: Some[] = []
  let cluster: Some[] = []
  let end = 0
  const settle = async () => {
    for (const finding of await settled(cluster, text, pacer)) result.push(finding)
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

/** Of findings that overlap each other, or others of them. */
const settled = async <Some extends Finding>(
  cluster: readonly Some[],
  text: string,
  pacer: Pacer,
): Promise<readonly Some[]> => {
  if (cluster.length < 2) return cluster
  let kept: Some[] = []
  for (const finding of cluster.toSorted(
    (a, b) => b.score - a.score || lengthOf(b) - lengthOf(a) || a.start - b.start,
  )) {
    const overlapping = kept.filter((one) => one.start < finding.end && finding.start < one.end)
    if (overlapping.length > 0 && [finding, ...overlapping].every(isPlace)) {
      kept = [...kept.filter((one) => !overlapping.includes(one)), united(finding, overlapping)]
    } else if (overlapping.length === 0 || (finding.score >= sure && !overlapping.some((one) => covers(one, finding))))
      kept.push(finding)
    else {
      const better = overlapping.find((one) => goesOn(finding, one, text))
      if (better) kept = grown(kept, better, finding)
    }
    await pacer.pause()
  }
  return kept.sort(inOrder)
}

/** Whether a finding holds a part of a number, and another one more of it. */
const goesOn = (other: Finding, one: Finding, text: string): boolean => {
  const hasDigit = (start: number, end: number) => start < end && /\p{Nd}/u.test(text.slice(start, end))
  return (
    hasDigit(Math.max(one.start, other.start), Math.min(one.end, other.end)) &&
    (hasDigit(other.start, one.start) || hasDigit(one.end, other.end))
  )
}

/** The better one as wide as both, without what lies in it. */
const grown = <Some extends Finding>(kept: readonly Some[], better: Some, other: Finding): Some[] => {
  const wide = { ...better, start: Math.min(better.start, other.start), end: Math.max(better.end, other.end) }
  return [...kept.filter((one) => !covers(wide, one)), wide]
}

const lengthOf = ({ start, end }: Finding) => end - start

const isPlace = ({ type }: Finding) => joinsNeighbours({ entity: type })

const covers = (one: Finding, other: Finding) => one.start <= other.start && other.end <= one.end

/** The better ones' type and score, as wide as all. */
const united = <Some extends Finding>(finding: Some, others: readonly Some[]): Some => {
  const all = [finding, ...others]
  return {
    ...(others[0] ?? finding),
    start: Math.min(...all.map(({ start }) => start)),
    end: Math.max(...all.map(({ end }) => end)),
  }
}
