/** Measures of how good an order or a list of scores is. */

/** @throws RangeError where there are no values */
export const mean = (values: readonly number[]): number => {
  if (values.length === 0) throw new RangeError('there is no mean of nothing')
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/**
 * The mean of the precisions at the place of each relevant item, of a list that is best first. Undefined where nothing
 * is relevant.
 */
export const averagePrecision = (relevant: readonly boolean[]): number | undefined => {
  let found = 0
  const precisions = relevant.flatMap((is, index) => (is ? [(found += 1) / (index + 1)] : []))
  return precisions.length > 0 ? mean(precisions) : undefined
}

/** One by the place of the first relevant item of a list that is best first; 0 where nothing is relevant. */
export const reciprocalRank = (relevant: readonly boolean[]): number => {
  const first = relevant.indexOf(true)
  return first < 0 ? 0 : 1 / (first + 1)
}

const checkLengths = (a: readonly number[], b: readonly number[]): void => {
  if (a.length !== b.length) throw new RangeError(`${a.length} values cannot be compared with ${b.length}`)
}

/** Of the angle between two vectors; 0 where one of them has no length. */
export const cosine = (a: readonly number[], b: readonly number[]): number => {
  checkLengths(a, b)
  const product = (one: readonly number[], other: readonly number[]) =>
    one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)
  const lengths = Math.sqrt(product(a, a) * product(b, b))
  return lengths > 0 ? product(a, b) / lengths : 0
}

/** Pearson's correlation; 0 where one of the lists does not vary. */
export const pearson = (a: readonly number[], b: readonly number[]): number => {
  checkLengths(a, b)
  const [meanA, meanB] = [mean(a), mean(b)]
  let [product, varianceA, varianceB] = [0, 0, 0]
  for (const [index, value] of a.entries()) {
    const [x, y] = [value - meanA, (b[index] ?? 0) - meanB]
    product += x * y
    varianceA += x * x
    varianceB += y * y
  }
  return varianceA > 0 && varianceB > 0 ? product / Math.sqrt(varianceA * varianceB) : 0
}

/** Spearman's rank correlation: Pearson's, of the ranks. */
export const spearman = (a: readonly number[], b: readonly number[]): number => pearson(ranks(a), ranks(b))

/** From 1 on; equal values have the mean of their ranks. */
export const ranks = (values: readonly number[]): number[] => {
  const sorted = [...values.keys()].sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const result = values.map(() => 0)
  for (let from = 0; from < sorted.length;) {
    let to = from
    while (to < sorted.length && values[sorted[to] ?? 0] === values[sorted[from] ?? 0]) to += 1
    for (const index of sorted.slice(from, to)) result[index] = (from + 1 + to) / 2
    from = to
  }
  return result
}
