/** Values that differ by less are equal: results of a model depend a little on their neighbours in a batch. */
const noise = 1e-6

/** By how many standard deviations each value is above the mean of all; all are 0 where the values are equal. */
export const zScores = (values: readonly number[]): number[] => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
  return values.map((value) => (deviation > noise ? (value - mean) / deviation : 0))
}
