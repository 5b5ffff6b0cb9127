import { normalised } from '@sallyport/kit/numbers'
import { failure } from '@sallyport/core'

/** Images that may wait, of all calls together: a decoded one takes much memory, so they are read one by one. */
export const imageQueue = 1024

/** Why an image cannot be read: ends a sentence that begins with its name. */
export class ImageError extends Error {
  override readonly name = 'ImageError'
}

/** @throws invalid_request, naming the field of an image that cannot be read; other errors as they are */
export const refuseImage = (error: unknown, field: string): never => {
  if (!(error instanceof ImageError)) throw error
  throw failure('invalid_request', { field, problem: error.message }, { cause: error.cause })
}

/** The vector of an image with a text: the mean of both unit vectors, of unit length. */
export const meanOfBoth = (text: Float32Array, image: Float32Array): Float32Array => {
  const [first, second] = [normalised(text), normalised(image)]
  return normalised(first.map((value, index) => value + (second[index] ?? 0)))
}
