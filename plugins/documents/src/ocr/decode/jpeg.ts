import jpeg from 'jpeg-js'
import type { Raster } from '../engine.js'
import type { Quarters } from '../raster.js'
import { PictureError } from './picture-error.js'

/** Enough for the largest picture that is taken. */
const memory = 2048

/** Mirrored first, then turned clockwise, it is upright. */
export interface Photograph extends Raster {
  readonly mirrored: boolean
  readonly quarters: Quarters
}

/** @throws PictureError */
export const decodeJpeg = (bytes: Uint8Array, largest: number): Photograph => {
  const { width, height, data } = decoded(bytes, largest)
  const rgb = new Uint8Array(3 * width * height)
  for (let pixel = 0; pixel < width * height; pixel++) rgb.set(data.subarray(4 * pixel, 4 * pixel + 3), 3 * pixel)
  return { width, height, data: rgb, ...orientations[orientationOf(bytes)] }
}

const decoded = (bytes: Uint8Array, largest: number) => {
  try {
    return jpeg.decode(bytes, {
      useTArray: true,
      maxResolutionInMP: largest / 1e6,
      maxMemoryUsageInMB: memory,
    })
  } catch (cause) {
    if (cause instanceof Error && cause.message.startsWith('maxResolutionInMP'))
      throw new PictureError(`has more than ${largest / 1e6} million pixels: make it smaller`, { cause })
    throw new PictureError('is a broken JPEG file', { cause })
  }
}

type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

/** By the numbers of Exif. */
const orientations: Readonly<Record<Orientation, { mirrored: boolean; quarters: Quarters }>> = {
  1: { mirrored: false, quarters: 0 },
  2: { mirrored: true, quarters: 0 },
  3: { mirrored: false, quarters: 2 },
  4: { mirrored: true, quarters: 2 },
  5: { mirrored: true, quarters: 3 },
  6: { mirrored: false, quarters: 1 },
  7: { mirrored: true, quarters: 1 },
  8: { mirrored: false, quarters: 3 },
}

/** What Exif says of it; 1, upright, where it says nothing that can be read. */
const orientationOf = (bytes: Uint8Array): Orientation => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const start = exifOf(view)
    return start === undefined ? 1 : readOrientation(view, start)
  } catch (error) {
    if (error instanceof RangeError) return 1
    throw error
  }
}

/** Where the TIFF header of the Exif segment begins. @throws RangeError at the end of the file */
const exifOf = (view: DataView): number | undefined => {
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1)
    if (marker === 0xda) return undefined
    if (marker === 0xe1 && view.getUint32(at + 4) === 0x45786966) return at + 10
  }
  return undefined
}

const readOrientation = (view: DataView, start: number): Orientation => {
  const littleEndian = view.getUint16(start) === 0x4949
  const directory = start + view.getUint32(start + 4, littleEndian)
  for (let entry = 0; entry < view.getUint16(directory, littleEndian); entry++) {
    const at = directory + 2 + 12 * entry
    if (view.getUint16(at, littleEndian) !== 0x0112) continue
    const value = view.getUint16(at + 8, littleEndian)
    return value >= 1 && value <= 8 ? (value as Orientation) : 1
  }
  return 1
}
