import { normalised } from '@sallyport/kit/numbers'

/** The vector of a picture with a text: the mean of both unit vectors, of unit length. */
export const meanOfBoth = (text: Float32Array, picture: Float32Array): Float32Array => {
  const [first, second] = [normalised(text), normalised(picture)]
  return normalised(first.map((value, index) => value + (second[index] ?? 0)))
}
