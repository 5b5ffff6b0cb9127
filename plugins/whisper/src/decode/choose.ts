import { largest, logSumExp } from './rules.js'

export interface Choice {
  readonly token: number
  /** Natural logarithm of its probability at temperature 1. */
  readonly logProbability: number
}

/** The likeliest token, or at a temperature above 0 one drawn by `random` (0..1). */
export const choose = (logits: Float32Array, temperature: number, random: () => number): Choice => {
  const token = temperature > 0 ? drawn(logits, temperature, random()) : logits.indexOf(largest(logits))
  return { token, logProbability: (logits[token] ?? 0) - logSumExp(logits) }
}

const drawn = (logits: Float32Array, temperature: number, share: number): number => {
  const most = largest(logits)
  const weights = logits.map((value) => Math.exp((value - most) / temperature))
  let left = share * weights.reduce((sum, weight) => sum + weight, 0)
  return Math.max(
    0,
    weights.findIndex((weight) => weight > 0 && (left -= weight) <= 0),
  )
}
