/** How near texts are to a subject. */

import { background } from './background.js'

/** The examples of a subject as vectors, and how near other texts are to them by chance. */
export interface Subject {
  readonly name: string
  readonly vectors: readonly Float32Array[]
  readonly centre: Float32Array
  readonly mean: number
  readonly deviation: number
}

/** @param others vectors of the {@link background} */
export const subjectOf = (name: string, vectors: readonly Float32Array[], others: readonly Float32Array[]): Subject => {
  const subject = { name, vectors, centre: centreOf(vectors) }
  const values = others.map((vector) => likeness(vector, subject))
  const mean = values.reduce((sum, value) => sum + value, 0) / background.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / background.length
  return { ...subject, mean, deviation: Math.max(Math.sqrt(variance), leastDeviation) }
}

/** Where a model puts all of the background at the same distance, small differences must not count. */
const leastDeviation = 0.02

/** In standard deviations of the background: how much nearer than a text about anything. Models differ in their cosines. */
export const nearness = (vector: Float32Array, subject: Subject): number =>
  (likeness(vector, subject) - subject.mean) / subject.deviation

/** The mean of the cosines with the nearest example and with all of them together. */
const likeness = (vector: Float32Array, { vectors, centre }: Pick<Subject, 'vectors' | 'centre'>): number => {
  const nearest = vectors.reduce((most, example) => Math.max(most, product(vector, example)), -1)
  return (nearest + product(vector, centre)) / 2
}

const centreOf = (vectors: readonly Float32Array[]): Float32Array => {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) for (const [at, value] of vector.entries()) sum[at] = (sum[at] ?? 0) + value
  return unit(sum)
}

/** Of length 1: not all models say so of their vectors. */
export const unit = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(product(vector, vector))
  return length > 0 ? vector.map((value) => value / length) : vector
}

const product = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
