import sharp from 'sharp'
import type { Box } from './geometry.js'
import type { Limits } from './options.js'
import { DocumentProblem } from './problem.js'

/** Pixels row by row from the top left, three bytes each (red, green, blue). */
export interface Raster {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** A line of text on an image. */
export interface OcrLine {
  readonly text: string
  /** 0..1 */
  readonly confidence: number
  readonly box: Box
}

/** Reads the text of an image. */
export type Ocr = (image: Raster) => Promise<readonly OcrLine[]>

/** Max pixels of a side: decoders take minutes for very long images, and Tesseract refuses them. */
const maxSide = 32_000

/**
 * Decodes an image, upright by its metadata, on white.
 * @param page of a TIFF, from 0
 * @throws DocumentProblem, what sharp throws
 */
export const decodeImage = async (
  bytes: Uint8Array,
  page: number,
  { pixels }: Pick<Limits, 'pixels'>,
): Promise<Raster> => {
  const image = sharp(bytes, { limitInputPixels: false, failOn: 'error', sequentialRead: true, page })
  const { autoOrient: size } = await image.metadata()
  if (size.width * size.height > pixels || Math.max(size.width, size.height) > maxSide)
    throw new DocumentProblem(
      `it has ${size.width} × ${size.height} pixels, and at most ${pixels / 1e6} million are read, ` +
        `${maxSide} on a side: make it smaller`,
    )
  const upright = image.autoOrient().flatten({ background: 'white' }).toColourspace('srgb').removeAlpha()
  const { data, info } = await upright.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data }
}
