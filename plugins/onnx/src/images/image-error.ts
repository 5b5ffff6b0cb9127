import { failure } from '@sallyport/core'

/** Of all calls together. Images are decoded one at a time, because each takes much memory. */
export const maxQueuedImages = 1024

/** An image cannot be read. The message is a predicate, as in "inputs[0].image is a broken image". */
export class ImageError extends Error {
  override readonly name = 'ImageError'
}

/** @throws invalid_request, naming the field of an image that cannot be read; other errors as they are */
export const refuseImage = (error: unknown, field: string): never => {
  if (!(error instanceof ImageError)) throw error
  throw failure('invalid_request', { field, problem: error.message }, { cause: error.cause })
}
