import { normalised } from '@sallyport/kit/numbers'

/** The vector of a text, of an image, or of both: the mean of their unit vectors, scaled to unit length. */
export const jointVector = (text: Float32Array | undefined, image: Float32Array | undefined): Float32Array => {
  if (!text || !image) return text ?? image ?? new Float32Array()
  const [first, second] = [normalised(text), normalised(image)]
  return normalised(first.map((value, index) => value + (second[index] ?? 0)))
}
