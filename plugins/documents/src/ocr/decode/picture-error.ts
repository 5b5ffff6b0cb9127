/** What is wrong with a picture: the rest of a sentence that begins with its name. */
export class PictureError extends Error {
  override readonly name = 'PictureError'
}

/** @throws PictureError */
export const checkSize = (width: number, height: number, largest: number): void => {
  if (width * height > largest)
    throw new PictureError(
      `has ${width} × ${height} pixels, which is more than ${largest / 1e6} million: make it smaller`,
    )
}
