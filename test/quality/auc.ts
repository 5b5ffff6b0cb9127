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
