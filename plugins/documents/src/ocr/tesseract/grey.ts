import type { Raster } from '../../raster.js'

/** Brightness, a byte per pixel. */
export interface Grey {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Converts to brightness by Rec. 601. */
export const greyOf = ({ width, height, data }: Raster): Grey => {
  const result = new Uint8Array(width * height)
  for (let at = 0, from = 0; at < result.length; at++, from += 3)
    result[at] = (77 * (data[from] ?? 0) + 150 * (data[from + 1] ?? 0) + 29 * (data[from + 2] ?? 0)) >> 8
  return { width, height, data: result }
}

/** The difference between the brightest pixel and the darkest. */
export const contrastOf = ({ data }: Grey): number => {
  let [min, max] = [255, 0]
  for (const level of data) {
    if (level < min) min = level
    if (level > max) max = level
  }
  return Math.max(0, max - min)
}

/**
 * The image as a PGM file. Its header is padded, because tesseract.js searches the first 500 bytes of any file for the
 * EXIF orientation of a photograph.
 */
export const pgmFile = ({ width, height, data }: Grey): Buffer =>
  Buffer.concat([Buffer.from(`P5\n#${' '.repeat(500)}\n${width} ${height}\n255\n`), data])

/** Whether text seems to be sideways: brightness varies more between columns than between rows. */
export const seemsSideways = ({ width, height, data }: Grey): boolean => {
  const rows = new Float64Array(height)
  const columns = new Float64Array(width)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      const level = data[at] ?? 0
      rows[y] = (rows[y] ?? 0) + level / width
      columns[x] = (columns[x] ?? 0) + level / height
    }
  return roughness(columns) > roughness(rows)
}

/** The mean squared difference of neighbours. */
const roughness = (values: Float64Array): number => {
  let sum = 0
  for (let index = 1; index < values.length; index++) sum += ((values[index] ?? 0) - (values[index - 1] ?? 0)) ** 2
  return sum / Math.max(1, values.length - 1)
}
