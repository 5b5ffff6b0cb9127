import type { Sharp } from 'sharp'
import { PictureError } from './picture-error.js'

/** Of one picture, whatever its file's size: decoding takes time by the pixel. */
export const largestPicture = 50_000_000

const signatures = [
  [0, '\x89PNG\r\n\x1a\n'],
  [0, '\xff\xd8\xff'],
  [0, 'GIF87a'],
  [0, 'GIF89a'],
  [8, 'WEBP'],
] as const

/** Other formats are never given to a decoder. */
const isAllowed = (image: Uint8Array): boolean => {
  const start = Buffer.from(image.buffer, image.byteOffset, Math.min(image.length, 16)).toString('latin1')
  return signatures.some(([offset, text]) => start.startsWith(text, offset))
}

export interface OpenPicture {
  /** Of the first frame, turned as its metadata says, in sRGB on white; decoded when it is asked for pixels. */
  readonly pipeline: Sharp
  readonly width: number
  readonly height: number
}

/** Reads a picture's header. @throws PictureError */
export const openPicture = async (image: Uint8Array): Promise<OpenPicture> => {
  if (!isAllowed(image)) throw new PictureError('is not a picture of the types png, jpeg, webp or gif')
  // Loaded with the first picture: the kernel's process, which imports this too, never needs it.
  const { default: sharp } = await import('sharp')
  const picture = sharp(image, { limitInputPixels: false, failOn: 'error', sequentialRead: true })
  const { autoOrient } = await picture.metadata().catch(broken)
  const { width, height } = autoOrient
  if (width * height > largestPicture)
    throw new PictureError(
      `has ${width} × ${height} pixels, which is more than ${largestPicture / 1e6} million: make it smaller`,
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
