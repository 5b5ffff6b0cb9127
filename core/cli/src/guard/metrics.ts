/** How well scores tell labelled rows apart. */

export interface Scored {
  /** Undefined where nothing was found: that counts at no threshold. */
  readonly score: number | undefined
  readonly label: boolean
}

/** What a threshold does; scores from it on count. */
export interface AtThreshold {
  readonly threshold: number
  readonly precision: number
  readonly recall: number
  readonly f1: number
  /** Part of the rows labelled 0 that count all the same. */
  readonly falseAlarms: number
}

export const atThreshold = (rows: readonly Scored[], threshold: number): AtThreshold => {
  const counted = rows.filter(({ score }) => score !== undefined && score >= threshold)
  return measured(threshold, counted.length, countLabels(counted).positives, countLabels(rows))
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
const measured = (threshold: number, counted: number, hits: number, all: Labels): AtThreshold => {
  const [precision, recall] = [part(hits, counted), part(hits, all.positives)]
  const f1 = precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0
  return { threshold, precision, recall, f1, falseAlarms: part(counted - hits, all.negatives) }
}

const part = (some: number, all: number): number => (all ? some / all : 0)

/**
 * Every threshold that makes a difference, the highest first, each halfway to the next score below: what is a little
 * less sure than these rows counts, too. In time linear after sorting.
 */
const sweep = (rows: readonly Scored[]): AtThreshold[] => {
  const sorted = rows
    .flatMap(({ score, label }) => (score === undefined ? [] : [{ score, label }]))
    .sort((a, b) => b.score - a.score)
  const all = countLabels(rows)
  let hits = 0
  return sorted.flatMap(({ score, label }, index) => {
    if (label) hits += 1
    const next = sorted[index + 1]?.score
    return next === score ? [] : [measured((score + (next ?? 0)) / 2, index + 1, hits, all)]
  })
}

/** The lowest threshold whose false alarms stay within the bound; undefined where even the highest score's do not. */
export const thresholdForFalseAlarms = (rows: readonly Scored[], max: number): AtThreshold | undefined =>
  sweep(rows).findLast(({ falseAlarms }) => falseAlarms <= max)

export const thresholdForBestF1 = (rows: readonly Scored[]): AtThreshold | undefined =>
  sweep(rows).reduce<AtThreshold | undefined>((best, one) => (best && best.f1 >= one.f1 ? best : one), undefined)

/**
 * Area under the ROC curve: the chance that a row labelled 1 has a higher score than one labelled 0, ties counting
 * half; with its 95 % interval.
 */
export const areaUnderCurve = (rows: readonly Scored[]): { area: number; low: number; high: number } => {
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
 * The smallest area that the one of so many rows is compatible with (Newcombe, Statistics in Medicine 25, 2006, method 5):
 * with the variance of the bound, for that of an area of 1 is 0, however few the rows are.
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
