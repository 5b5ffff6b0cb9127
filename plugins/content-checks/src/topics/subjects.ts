/** How near texts are to a subject. */

import { readFileSync } from 'node:fs'
import { normalised } from '@sallyport/kit/numbers'

/** Sentences about all kinds of things: how near they are to a subject says how near texts are by chance. */
export const background = JSON.parse(
  readFileSync(new URL('./background.json', import.meta.url), 'utf8'),
) as readonly string[]

/** The examples of a subject as vectors, and how near other texts are to them by chance. */
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
  const values = others.map((vector) => likeness(vector, subject))
  const mean = values.reduce((sum, value) => sum + value, 0) / background.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / background.length
  return { ...subject, mean, deviation: Math.max(Math.sqrt(variance), minDeviation) }
}

/** Where a model puts all of the background at the same distance, small differences must not count. */
const minDeviation = 0.02

/**
 * How much nearer a text is than one about anything, in standard deviations of the background: models differ in their
 * cosines.
 */
export const nearness = (vector: Float32Array, subject: Subject): number =>
  (likeness(vector, subject) - subject.mean) / subject.deviation

/** The mean of the cosines with the nearest example and with all of them together. */
const likeness = (vector: Float32Array, { vectors, centroid }: Pick<Subject, 'vectors' | 'centroid'>): number => {
  const nearest = vectors.reduce((most, example) => Math.max(most, product(vector, example)), -1)
  return (nearest + product(vector, centroid)) / 2
}

const centroidOf = (vectors: readonly Float32Array[]): Float32Array => {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) for (const [at, value] of vector.entries()) sum[at] = (sum[at] ?? 0) + value
  return normalised(sum)
}

const product = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
