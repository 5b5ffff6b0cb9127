import { convertIndexedToRgb, decode } from 'fast-png'
import type { DecodedPng } from 'fast-png'
import type { Raster } from '../engine.js'
import { checkSize, PictureError } from './picture-error.js'

/** @throws PictureError */
export const decodePng = (bytes: Uint8Array, largest: number): Raster => {
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 33) throw new PictureError('is a broken PNG file')
  checkSize(header.getUint32(16), header.getUint32(20), largest)
  try {
    return onWhite(decode(bytes))
  } catch (cause) {
    throw new PictureError('is a broken PNG file', { cause })
  }
}

const onWhite = (png: DecodedPng): Raster => {
  const { width, height } = png
  const { values, channels, full } = levelsOf(png)
  const data = new Uint8Array(3 * width * height)
  const coloured = channels > 2
  const opacityAt = channels % 2 === 0 ? channels - 1 : undefined
  for (let pixel = 0, from = 0; pixel < width * height; pixel++, from += channels) {
    const opacity = opacityAt === undefined ? 1 : (values[from + opacityAt] ?? 0) / full
    for (let channel = 0; channel < 3; channel++) {
      const level = (255 * (values[from + (coloured ? channel : 0)] ?? 0)) / full
      data[3 * pixel + channel] = Math.round(255 + (level - 255) * opacity)
    }
  }
  return { width, height, data }
}

/** One to four numbers per pixel, up to `full`. */
const levelsOf = (png: DecodedPng): { values: ArrayLike<number>; channels: number; full: number } => {
  const { data, palette, width, height, depth, channels } = png
  if (palette) {
    const values = convertIndexedToRgb(png)
    return { values, channels: values.length / (width * height), full: 255 }
  }
  if (depth >= 8) return { values: data, channels, full: 2 ** depth - 1 }
  return { values: unpacked(png), channels: 1, full: 2 ** depth - 1 }
}

/** Several grey pixels to a byte, and each row in bytes of its own. */
const unpacked = ({ data, width, height, depth }: DecodedPng): Uint8Array => {
  const result = new Uint8Array(width * height)
  const perByte = 8 / depth
  const rowBytes = Math.ceil(width / perByte)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const byte = data[y * rowBytes + Math.floor(x / perByte)] ?? 0
      result[y * width + x] = (byte >> (8 - depth * ((x % perByte) + 1))) & (2 ** depth - 1)
    }
  return result
}
