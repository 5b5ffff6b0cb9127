/** Maps any number to 0..1 monotonically. */
export const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value))

/** Probabilities with the sum 1. */
export const softmax = (logits: ArrayLike<number>): number[] => {
  const values = Array.from(logits)
  const max = values.reduce((one, other) => Math.max(one, other), -Infinity)
  // Without subtracting the maximum, exponentials would overflow.
  const powers = values.map((logit) => Math.exp(logit - max))
  const sum = powers.reduce((total, power) => total + power, 0)
  return powers.map((power) => power / sum)
}
