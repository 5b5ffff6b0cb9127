/** How well scores separate labelled rows. */

export interface ScoredRow {
  /** Undefined where nothing was found: such a row is negative at every threshold. */
  readonly score: number | undefined
  readonly label: boolean
}

/** Metrics at a threshold; scores from it on count as positive. */
export interface ThresholdMetrics {
  readonly threshold: number
  readonly precision: number
  readonly recall: number
  readonly f1: number
  /** False positive rate: the share of the rows labelled 0 whose scores count. */
  readonly falseAlarms: number
}

export const metricsAt = (rows: readonly ScoredRow[], threshold: number): ThresholdMetrics => {
  const counted = rows.filter(({ score }) => score !== undefined && score >= threshold)
  return metricsOf(threshold, counted.length, countLabels(counted).positives, countLabels(rows))
}

interface Labels {
  readonly positives: number
  readonly negatives: number
}

const countLabels = (rows: readonly { readonly label: boolean }[]): Labels => {
  const positives = rows.filter(({ label }) => label).length
  return { positives, negatives: rows.length - positives }
}

/** @param counted how many rows count, of which `hits` are labelled 1 */
const metricsOf = (threshold: number, counted: number, hits: number, all: Labels): ThresholdMetrics => {
  const [precision, recall] = [ratio(hits, counted), ratio(hits, all.positives)]
  const f1 = precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0
  return { threshold, precision, recall, f1, falseAlarms: ratio(counted - hits, all.negatives) }
}

const ratio = (some: number, all: number): number => (all ? some / all : 0)

/**
 * Metrics at every threshold that makes a difference, the highest first. Each lies halfway to the next lower score, so
 * that texts with slightly lower scores than these rows count, too. Takes linear time after sorting.
 */
export const sweep = (rows: readonly ScoredRow[]): ThresholdMetrics[] => {
  const sorted = rows
    .flatMap(({ score, label }) => (score === undefined ? [] : [{ score, label }]))
    .sort((a, b) => b.score - a.score)
  const all = countLabels(rows)
  let hits = 0
  return sorted.flatMap(({ score, label }, index) => {
    if (label) hits += 1
    const next = sorted[index + 1]?.score
    return next === score ? [] : [metricsOf((score + (next ?? 0)) / 2, index + 1, hits, all)]
  })
}

/** The lowest threshold whose false alarms stay within the bound; undefined where even the highest score's do not. */
export const thresholdForFalseAlarms = (rows: readonly ScoredRow[], max: number): ThresholdMetrics | undefined =>
  sweep(rows).findLast(({ falseAlarms }) => falseAlarms <= max)

export const thresholdForBestF1 = (rows: readonly ScoredRow[]): ThresholdMetrics | undefined =>
  sweep(rows).reduce<ThresholdMetrics | undefined>((best, one) => (best && best.f1 >= one.f1 ? best : one), undefined)

/** Area under the ROC curve, the chance that a row labelled 1 has a higher score than another, with its 95 % interval. */
export const areaUnderCurve = (rows: readonly ScoredRow[]): { area: number; low: number; high: number } => {
  const sorted = rows
    .map(({ score = -Infinity, label }) => ({ score, label }))
    .sort((a, b) => Number(a.score > b.score) - Number(a.score < b.score))
  const { positives, negatives } = countLabels(rows)
  let [below, wins] = [0, 0]
  for (let from = 0; from < sorted.length;) {
    let to = from
    while (to < sorted.length && sorted[to]?.score === sorted[from]?.score) to += 1
    const tied = sorted.slice(from, to)
    const tiedPositives = countLabels(tied).positives
    wins += tiedPositives * (below + (tied.length - tiedPositives) / 2)
    below += tied.length - tiedPositives
    from = to
  }
  const area = wins / (positives * negatives)
  const low = minArea(area, positives, negatives)
  const high = Math.max(area, 1 - minArea(1 - area, positives, negatives))
  return { area, low, high }
}

/**
 * The lower end of the 95 % interval (Newcombe, Statistics in Medicine 25, 2006, method 5). It takes the variance of the
 * bound, since that of an area of 1 is 0, however few the rows are.
 */
const minArea = (area: number, positives: number, negatives: number): number => {
  let [low, high] = [0, area]
  for (let step = 0; step < 50; step += 1) {
    const bound = (low + high) / 2
    const spread = 1 + ((positives + negatives) / 2 - 1) * ((1 - bound) / (2 - bound) + bound / (1 + bound))
    const variance = (bound * (1 - bound) * spread) / (positives * negatives)
    if (area - bound > 1.96 * Math.sqrt(variance)) low = bound
    else high = bound
  }
  return low
}
