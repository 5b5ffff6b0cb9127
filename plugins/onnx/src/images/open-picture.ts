import { notAPicture, pictureFormat } from '@sallyport/kit/picture-format'
import type { Sharp } from 'sharp'
import { PictureError } from './picture-error.js'

/** Of one picture, whatever its file's size: decoding takes time by the pixel. */
export const largestPicture = 50_000_000

/** Of either side: very narrow pictures take the decoder minutes, however few pixels they have. */
export const longestSide = 16_384

export interface OpenPicture {
  /** Of the first frame, turned as its metadata says, in sRGB on white; decoded when it is asked for pixels. */
  readonly pipeline: Sharp
  readonly width: number
  readonly height: number
}

/** Reads a picture's header. @throws PictureError */
export const openPicture = async (image: Uint8Array): Promise<OpenPicture> => {
  const format = pictureFormat(image)
  if (!format) throw new PictureError(notAPicture)
  // Loaded with the first picture: the kernel's process, which imports this too, never needs it.
  const { default: sharp } = await import('sharp')
  const picture = sharp(image, { limitInputPixels: false, failOn: 'error', sequentialRead: true })
  const { autoOrient, format: decoded } = await picture.metadata().catch(broken)
  if (decoded !== format) throw new PictureError('is a broken picture')
  const { width, height } = autoOrient
  if (width * height > largestPicture)
    throw new PictureError(
      `has ${width} × ${height} pixels, which is more than ${largestPicture / 1e6} million: make it smaller`,
    )
  if (Math.max(width, height) > longestSide)
    throw new PictureError(
      `has ${width} × ${height} pixels, and no side may have more than ${longestSide}: make it smaller`,
    )
  return { pipeline: picture.autoOrient().flatten({ background: 'white' }).toColourspace('srgb'), width, height }
}

/** @throws PictureError for every failure of the decoder, whose text stays in the cause */
export const broken = (cause: unknown): never => {
  throw new PictureError('is a broken picture', { cause })
}

/** Rows of red, green and blue bytes. @throws PictureError */
export const pixelsOf = async (pipeline: Sharp): Promise<Uint8Array> => {
  const { data, info } = await pipeline
    .removeAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(broken)
  if (info.channels !== 3) throw new PictureError(`has ${info.channels} channels instead of three`)
  return data
}
