import { notAnImage, imageFormat } from '@sallyport/kit/image-format'
import type { Sharp } from 'sharp'
import { ImageError } from './image-error.js'
import type { Size } from './preprocessor-config.js'

/** The limit of pixels of one image, whatever the size of its file, because decoding takes time for each pixel. */
const maxPixels = 50_000_000

/** The limit of either side: very narrow images take the decoder minutes, however few pixels they have. */
export const maxSide = 16_384

export interface OpenImage extends Size {
  /** The first frame, rotated as its metadata says, in sRGB on white. It is decoded when its pixels are read. */
  readonly pipeline: Sharp
}

/** Reads an image's header. @throws ImageError */
export const openImage = async (image: Uint8Array): Promise<OpenImage> => {
  const format = imageFormat(image)
  if (!format) throw new ImageError(notAnImage)
  // Loaded with the first image: the kernel's process, which imports this too, never needs it.
  const { default: sharp } = await import('sharp')
  const decoder = sharp(image, { limitInputPixels: false, failOn: 'error', sequentialRead: true })
  const { autoOrient, format: decoded } = await decoder.metadata().catch(broken)
  if (decoded !== format) return broken()
  const { width, height } = autoOrient
  const size = `${width} × ${height} pixels`
  if (width * height > maxPixels)
    throw new ImageError(`has ${size}, which is more than ${maxPixels / 1e6} million: make it smaller`)
  if (Math.max(width, height) > maxSide)
    throw new ImageError(`has ${size}, and no side may have more than ${maxSide}: make it smaller`)
  return { pipeline: decoder.autoOrient().flatten({ background: 'white' }).toColourspace('srgb'), width, height }
}

/** @throws ImageError always, with the error of the decoder as its cause */
const broken = (cause?: unknown): never => {
  throw new ImageError('is a broken image', { cause })
}

/** Rows of red, green and blue bytes. @throws ImageError */
export const pixelsOf = async (pipeline: Sharp): Promise<Uint8Array> => {
  const { data, info } = await pipeline
    .removeAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(broken)
  if (info.channels !== 3) throw new ImageError(`has ${info.channels} channels instead of three`)
  return data
}
