import { maxOf } from '@sallyport/kit/lists'

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

export const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value))

export const softmax = (logits: ArrayLike<number>): number[] => {
  const values = Array.from(logits)
  const max = maxOf(values)
  // Without subtracting the maximum, exponentials would overflow.
  const powers = values.map((logit) => Math.exp(logit - max))
  const sum = powers.reduce((total, power) => total + power, 0)
  return powers.map((power) => power / sum)
}
