/** The cosine of two vectors of the same length; 0 where one of them is zero. */
export const cosine = (one: Float32Array, other: Float32Array): number => {
  let [product, oneSquared, otherSquared] = [0, 0, 0]
  for (let index = 0; index < one.length; index += 1) {
    const [a, b] = [one[index] ?? 0, other[index] ?? 0]
    product += a * b
    oneSquared += a * a
    otherSquared += b * b
  }
  return oneSquared > 0 && otherSquared > 0 ? product / Math.sqrt(oneSquared * otherSquared) : 0
}
