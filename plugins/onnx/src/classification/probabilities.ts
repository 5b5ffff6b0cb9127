import type { Labels } from './labels.js'

/** Logits of one text or token to scores in 0..1; those of `softmax` have the sum 1. */
export const probabilities = (logits: Float32Array, scores: Labels['scores']): number[] => {
  if (scores === 'sigmoid') return Array.from(logits, (logit) => 1 / (1 + Math.exp(-logit)))
  const greatest = logits.reduce((most, logit) => Math.max(most, logit), -Infinity)
  // the greatest is taken off so that none overflows
  const powers = Array.from(logits, (logit) => Math.exp(logit - greatest))
  const sum = powers.reduce((total, power) => total + power, 0)
  return powers.map((power) => power / sum)
}
