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
  const hits = counted.filter(({ label }) => label).length
  const positives = rows.filter(({ label }) => label).length
  const [precision, recall] = [part(hits, counted.length), part(hits, positives)]
  const f1 = precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0
  return { threshold, precision, recall, f1, falseAlarms: part(counted.length - hits, rows.length - positives) }
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
  const positives = rows.filter(({ label }) => label).length
  const negatives = rows.length - positives
  const found: AtThreshold[] = []
  let hits = 0
  for (const [index, { score, label }] of sorted.entries()) {
    if (label) hits += 1
    const next = sorted[index + 1]?.score
    if (next === score) continue
    const [precision, recall] = [hits / (index + 1), part(hits, positives)]
    const f1 = precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0
    found.push({
      threshold: (score + (next ?? 0)) / 2,
      precision,
      recall,
      f1,
      falseAlarms: part(index + 1 - hits, negatives),
    })
  }
  return found
}

/** The lowest threshold whose false alarms stay within the bound; undefined where even the highest score's do not. */
export const thresholdForFalseAlarms = (rows: readonly Scored[], most: number): AtThreshold | undefined =>
  sweep(rows).findLast(({ falseAlarms }) => falseAlarms <= most)

export const thresholdForBestF1 = (rows: readonly Scored[]): AtThreshold | undefined =>
  sweep(rows).reduce<AtThreshold | undefined>((best, one) => (best && best.f1 >= one.f1 ? best : one), undefined)

/**
 * Area under the ROC curve: the chance that a row labelled 1 has a higher score than one labelled 0, ties counting
 * half; with its 95 % interval (Hanley and McNeil, Radiology 143, 1982).
 */
export const areaUnderCurve = (rows: readonly Scored[]): { area: number; low: number; high: number } => {
  const sorted = rows
    .map(({ score = -Infinity, label }) => ({ score, label }))
    .sort((a, b) => Number(a.score > b.score) - Number(a.score < b.score))
  const positives = rows.filter(({ label }) => label).length
  const negatives = rows.length - positives
  let [below, wins] = [0, 0]
  for (let from = 0; from < sorted.length;) {
    let to = from
    while (to < sorted.length && sorted[to]?.score === sorted[from]?.score) to += 1
    const tied = sorted.slice(from, to)
    const tiedPositives = tied.filter(({ label }) => label).length
    wins += tiedPositives * (below + (tied.length - tiedPositives) / 2)
    below += tied.length - tiedPositives
    from = to
  }
  const area = wins / (positives * negatives)
  const [q1, q2] = [area / (2 - area), (2 * area * area) / (1 + area)]
  const variance =
    (area * (1 - area) + (positives - 1) * (q1 - area * area) + (negatives - 1) * (q2 - area * area)) /
    (positives * negatives)
  const margin = 1.96 * Math.sqrt(Math.max(0, variance))
  return { area, low: Math.max(0, area - margin), high: Math.min(1, area + margin) }
}
