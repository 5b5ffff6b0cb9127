/** From a probability to its logit; finite at 0 and 1. */
export const logit = (probability: number): number => {
  const bounded = Math.min(1 - 1e-7, Math.max(1e-7, probability))
  return Math.log(bounded / (1 - bounded))
}

export const logistic = (value: number): number => 1 / (1 + Math.exp(-value))

/** The mean of the highest values, of fewer where there are fewer; -Infinity of none. */
export const meanOfHighest = (values: readonly number[], count: number): number => {
  const highest = values.toSorted((a, b) => b - a).slice(0, count)
  return highest.length === 0 ? -Infinity : highest.reduce((sum, value) => sum + value, 0) / highest.length
}
