/** The logistic function: any number to 0..1, in the same order. */
export const logistic = (value: number): number => 1 / (1 + Math.exp(-value))

/** Any numbers to 0..1 with the sum 1, in the same order. */
export const softmax = (logits: ArrayLike<number>): number[] => {
  const values = Array.from(logits)
  const greatest = values.reduce((most, logit) => Math.max(most, logit), -Infinity)
  // the greatest is taken off so that none overflows
  const powers = values.map((logit) => Math.exp(logit - greatest))
  const sum = powers.reduce((total, power) => total + power, 0)
  return powers.map((power) => power / sum)
}
