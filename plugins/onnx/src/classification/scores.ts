import { logistic, softmax } from '../probabilities.js'
import type { Labels } from './labels.js'

/** Logits of one text or token to scores in 0..1. */
export const scoresOf = (logits: Float32Array, scores: Labels['scores']): number[] =>
  scores === 'sigmoid' ? Array.from(logits, logistic) : softmax(logits)
