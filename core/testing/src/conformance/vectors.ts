/** Vectors are compared with a tolerance: arithmetic differs with the company in a batch. */

import assert from 'node:assert/strict'

export const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)

export const norm = (vector: Float32Array): number => Math.sqrt(dot(vector, vector))

export const cosine = (a: Float32Array, b: Float32Array): number => dot(a, b) / (norm(a) * norm(b))

/** The first components, with unit length again. */
export const shortened = (vector: Float32Array, dimensions: number): Float32Array => {
  const head = vector.slice(0, dimensions)
  const length = norm(head)
  return head.map((value) => value / length)
}

/** Asserts that two vectors are the same but for rounding. */
export const assertSameVector = (actual: Float32Array | undefined, expected: Float32Array | undefined): void => {
  if (!actual || !expected) assert.fail('a vector is missing')
  assert.equal(actual.length, expected.length)
  const similarity = cosine(actual, expected)
  assert.ok(similarity > 0.9999, `the vectors differ: their cosine is ${similarity}`)
}
