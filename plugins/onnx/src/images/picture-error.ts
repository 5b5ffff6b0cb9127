import { failure } from '@sallyport/core'

/** Why a picture cannot be read: ends a sentence that begins with its name. */
export class PictureError extends Error {
  override readonly name = 'PictureError'
}

/** @throws invalid_request, naming the field of a picture that cannot be read; other errors as they are */
export const refusePicture = (error: unknown, field: string): never => {
  if (!(error instanceof PictureError)) throw error
  throw failure('invalid_request', { field, problem: error.message }, { cause: error.cause })
}
