/** How a sequence of labels is smoothed. */
interface Smoothing {
  /** The minimum number of frames with one label in a row, except at the beginning and at the end of the sequence. */
  readonly minRun: number
  /** What each change of the label costs, in the unit of the scores; at least 0. */
  readonly changeCost: number
}

/**
 * The label of each frame, with the highest sum of scores that the smoothing allows: Viterbi decoding of a hidden Markov
 * model with minimum durations (J. Ferguson, "Variable duration models for speech", 1980).
 * @param scores of each label, frame by frame
 */
export const smoothLabels = (scores: readonly (readonly number[])[], { minRun, changeCost }: Smoothing): number[] => {
  const count = scores[0]?.length ?? 0
  // frames without scores after the end make room for a last run that is shorter
  const length = scores.length + minRun - 1
  const totals = new Float64Array(length * count)
  const begun = new Uint8Array(length * count)
  const best = { sums: new Float64Array(length), labels: new Uint8Array(length) }
  // the best sum up to a frame that ends a long enough run of the label, less the total of all scores of the label
  const gains = new Float64Array(count)
  for (let at = 0; at < length; at += 1) {
    best.sums[at] = -Infinity
    for (let label = 0; label < count; label += 1) {
      const place = at * count + label
      totals[place] = (totals[place - count] ?? 0) + (scores[at]?.[label] ?? 0)
      const gain = (best.sums[at - minRun] ?? -Infinity) - changeCost - (totals[place - minRun * count] ?? 0)
      if (gain > (gains[label] ?? 0)) {
        gains[label] = gain
        begun[place] = 1
      }
      const sum = (gains[label] ?? 0) + (totals[place] ?? 0)
      if (sum <= (best.sums[at] ?? 0)) continue
      best.sums[at] = sum
      best.labels[at] = label
    }
  }
  const labels = new Array<number>(length).fill(0)
  for (let end = length, label = best.labels[end - 1] ?? 0; end > 0;) {
    // where the run has just become long enough, another one ended before it
    const isRun = begun[(end - 1) * count + label] === 1
    const start = end - (isRun ? minRun : 1)
    labels.fill(label, start, end)
    if (isRun) label = best.labels[start - 1] ?? 0
    end = start
  }
  return labels.slice(0, scores.length)
}
