/** The vector at unit length; one of zeros stays as it is. */
export const normalised = (vector: ArrayLike<number>): Float32Array => {
  let sum = 0
  for (let index = 0; index < vector.length; index += 1) sum += (vector[index] ?? 0) ** 2
  const scale = sum > 0 ? 1 / Math.sqrt(sum) : 1
  return Float32Array.from(vector, (value) => value * scale)
}
