export const dot = (one: Float32Array, other: Float32Array): number => {
  let sum = 0
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0)
  return sum
}

/** The middle of vectors, which is shorter than they are where they point into different directions. */
export const mean = (vectors: readonly Float32Array[]): Float32Array => {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) vector.forEach((value, index) => (sum[index] = (sum[index] ?? 0) + value))
  return sum.map((value) => value / vectors.length)
}

/** The vector with the length 1. */
export const unit = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(dot(vector, vector))
  return vector.map((value) => value / Math.max(length, 1e-9))
}
