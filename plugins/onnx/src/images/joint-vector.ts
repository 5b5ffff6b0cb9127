import { normalised } from '@sallyport/kit/numbers'

/** The vector of an image with a text: the mean of both unit vectors, scaled to unit length. */
export const jointVector = (text: Float32Array, image: Float32Array): Float32Array => {
  const [first, second] = [normalised(text), normalised(image)]
  return normalised(first.map((value, index) => value + (second[index] ?? 0)))
}
