import type { Raster } from '../engine.js'
import { turned } from '../raster.js'
import { decodeJpeg } from './jpeg.js'
import { decodePng } from './png.js'
import { PictureError } from './picture-error.js'

/** Of one picture: decoding takes time and memory by the pixel, whatever the file’s size. */
export const largestPicture = 50_000_000

/**
 * The pixels of a PNG or JPEG file, turned as a photograph's metadata says, on white where it is transparent.
 * @throws PictureError where it is neither, is broken, or has too many pixels
 */
export const decodePicture = (bytes: Uint8Array): Raster => {
  if (bytes[0] === 0x89 && bytes[1] === 0x50) return decodePng(bytes, largestPicture)
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw new PictureError('is neither a PNG nor a JPEG file')
  const { quarters, mirrored, ...picture } = decodeJpeg(bytes, largestPicture)
  return turned(mirrored ? mirror(picture) : picture, quarters)
}

/** Left and right exchanged. */
const mirror = ({ width, height, data }: Raster): Raster => {
  const result = new Uint8Array(data.length)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const from = 3 * (y * width + x)
      result.set(data.subarray(from, from + 3), 3 * (y * width + width - 1 - x))
    }
  return { width, height, data: result }
}
