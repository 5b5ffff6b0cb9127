/** Measures of a score that should be high for the bad ones, with intervals. */

import { ranks } from './metrics.js'

export interface Scored {
  readonly bad: boolean
  readonly score: number
  /** Rows that are drawn together: parts of one claim, for example. */
  readonly group?: string
}

/** Share of the pairs of a bad one and a good one that are in the right order. */
export const areaUnderCurve = (rows: readonly Scored[]): number => {
  const places = ranks(rows.map(({ score }) => score))
  const bad = rows.filter((row) => row.bad).length
  const sum = rows.reduce((total, row, index) => total + (row.bad ? (places[index] ?? 0) : 0), 0)
  return (sum - (bad * (bad + 1)) / 2) / (bad * (rows.length - bad))
}

/** Share of the bad ones above a threshold that so large a share of the good ones reach. */
export const recallAt = (rows: readonly Scored[], falseAlarms: number): number => {
  const good = rows.flatMap(({ bad, score }) => (bad ? [] : [score])).sort((a, b) => b - a)
  const threshold = good[Math.floor(falseAlarms * good.length)] ?? Infinity
  return share(rows, (row) => row.bad, threshold)
}

/** Share of some rows with a score above a threshold. */
export const share = (rows: readonly Scored[], which: (row: Scored) => boolean, threshold: number): number => {
  const chosen = rows.filter(which)
  return chosen.filter(({ score }) => score > threshold).length / chosen.length
}

/** The middle 95 % of a measure over rows drawn anew; the same for the same rows. */
export const interval = (
  rows: readonly Scored[],
  measure: (rows: readonly Scored[]) => number,
  times = 300,
): readonly [number, number] => {
  const byGroup = new Map<string, Scored[]>()
  for (const [index, row] of rows.entries()) {
    const group = row.group ?? String(index)
    byGroup.set(group, [...(byGroup.get(group) ?? []), row])
  }
  const groups = [...byGroup.values()]
  const random = randomOf(1)
  const values = Array.from({ length: times }, () =>
    measure(groups.flatMap(() => groups[Math.floor(random() * groups.length)] ?? [])),
  ).sort((a, b) => a - b)
  return [values[Math.floor(times * 0.025)] ?? NaN, values[Math.floor(times * 0.975)] ?? NaN]
}

/** Numbers in 0..1, the same for the same seed (a linear congruential generator). */
const randomOf = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
