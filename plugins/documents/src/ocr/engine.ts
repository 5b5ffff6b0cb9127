import type { Call } from '@sallyport/core'
import type { OcrLine, Raster } from '../raster.js'

/** Reads the text of an image, upright or rotated by quarter turns, in reading order. */
export interface OcrEngine {
  read(image: Raster, call: Call): Promise<OcrLine[]>
  close(): Promise<void>
}

/** Quarter turns clockwise. */
export type QuarterTurns = 0 | 1 | 2 | 3

/** Pixels row by row from the top left; the bytes per pixel follow from the length. */
interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Rotates an image clockwise. */
export const rotated = (image: Pixels, quarters: QuarterTurns): Pixels => {
  if (quarters === 0) return image
  const { width, height, data } = image
  const [newWidth, newHeight] = quarters === 2 ? [width, height] : [height, width]
  const bytes = data.length / (width * height)
  const result = new Uint8Array(data.length)
  // where the first pixel goes, and the steps to the next one in its row and in its column
  const [start, along, down] = {
    1: [newWidth - 1, newWidth, -1],
    2: [width * height - 1, -1, -width],
    3: [(newHeight - 1) * newWidth, -newWidth, 1],
  }[quarters] as [number, number, number]
  for (let y = 0, from = 0; y < height; y++)
    for (let x = 0, to = bytes * (start + y * down); x < width; x++, to += bytes * (along - 1))
      for (let byte = 0; byte < bytes; byte++) result[to++] = data[from++] ?? 0
  return { width: newWidth, height: newHeight, data: result }
}

/** The mean colour of the outermost pixels. */
export const edgeColour = ({ width, height, data }: Raster): [number, number, number] => {
  const sum: [number, number, number] = [0, 0, 0]
  let count = 0
  const add = (x: number, y: number) => {
    const at = 3 * (y * width + x)
    sum[0] += data[at] ?? 0
    sum[1] += data[at + 1] ?? 0
    sum[2] += data[at + 2] ?? 0
    count++
  }
  for (let x = 0; x < width; x++) for (const y of [0, height - 1]) add(x, y)
  for (let y = 0; y < height; y++) for (const x of [0, width - 1]) add(x, y)
  return [sum[0] / count, sum[1] / count, sum[2] / count]
}

/** @throws RangeError where the image is empty, or its data does not have its size */
export const checkRaster = ({ width, height, data }: Raster): void => {
  const valid = Number.isSafeInteger(width) && Number.isSafeInteger(height) && width > 0 && height > 0
  if (!valid || data.length !== width * height * 3)
    throw new RangeError(`${data.length} bytes are no image of ${width} × ${height} pixels`)
}
