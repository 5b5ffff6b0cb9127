/** Why a picture cannot be read: ends a sentence that begins with its name. Each service says it in its own code. */
export class PictureError extends Error {
  override readonly name = 'PictureError'
}
