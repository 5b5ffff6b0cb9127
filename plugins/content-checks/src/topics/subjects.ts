/** Measures how similar texts are to a subject. */

import { readFileSync } from 'node:fs'
import { normalised } from '@sallyport/kit/numbers'

/** Sentences about many things: their similarity to a subject shows how similar texts are to it by chance. */
export const background = JSON.parse(
  readFileSync(new URL('./background.json', import.meta.url), 'utf8'),
) as readonly string[]

/** The vectors of a subject's examples, and mean and deviation of the background's similarity to them. */
export interface Subject {
  readonly name: string
  readonly vectors: readonly Float32Array[]
  readonly centroid: Float32Array
  readonly mean: number
  readonly deviation: number
}

/** @param others vectors of the {@link background} */
export const subjectOf = (name: string, vectors: readonly Float32Array[], others: readonly Float32Array[]): Subject => {
  const subject = { name, vectors, centroid: centroidOf(vectors) }
  const values = others.map((vector) => similarity(vector, subject))
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return { ...subject, mean, deviation: Math.max(Math.sqrt(variance), minDeviation) }
}

/** A lower bound: where all of the background is at the same distance, small differences must not count. */
const minDeviation = 0.02

/** How similar a text is to a subject, in standard deviations of the background, as cosines differ between models. */
export const zScoreOf = (vector: Float32Array, subject: Subject): number =>
  (similarity(vector, subject) - subject.mean) / subject.deviation

/** The mean of the cosine with the nearest example and that with the centroid. */
const similarity = (vector: Float32Array, { vectors, centroid }: Pick<Subject, 'vectors' | 'centroid'>): number => {
  const nearest = vectors.reduce((best, example) => Math.max(best, dotProduct(vector, example)), -1)
  return (nearest + dotProduct(vector, centroid)) / 2
}

const centroidOf = (vectors: readonly Float32Array[]): Float32Array => {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) for (const [at, value] of vector.entries()) sum[at] = (sum[at] ?? 0) + value
  return normalised(sum)
}

const dotProduct = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
