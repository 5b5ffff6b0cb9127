import type { Raster } from '../engine.js'

/** Brightness, a byte per pixel. */
export interface Grey {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** The brightness that Rec. 601 gives a colour. */
export const greyOf = ({ width, height, data }: Raster): Grey => {
  const result = new Uint8Array(width * height)
  for (let at = 0, from = 0; at < result.length; at++, from += 3)
    result[at] = (77 * (data[from] ?? 0) + 150 * (data[from + 1] ?? 0) + 29 * (data[from + 2] ?? 0)) >> 8
  return { width, height, data: result }
}

/** The difference between the brightest pixel and the darkest. */
export const contrastOf = ({ data }: Grey): number => {
  let [least, most] = [255, 0]
  for (const level of data) {
    if (level < least) least = level
    if (level > most) most = level
  }
  return Math.max(0, most - least)
}

/** Brought to a size, between the four nearest pixels; where it gets smaller, the mean of what a pixel covers. */
export const resized = (picture: Grey, width: number, height: number): Grey => {
  if (width === picture.width && height === picture.height) return picture
  const columns = shares(picture.width, width)
  const rows = shares(picture.height, height)
  const narrow = new Float32Array(width * picture.height)
  for (let y = 0, from = 0; y < picture.height; y++, from += picture.width)
    for (const [x, { first, weights }] of columns.entries()) {
      let sum = 0
      for (let index = 0; index < weights.length; index++)
        sum += (weights[index] ?? 0) * (picture.data[from + first + index] ?? 0)
      narrow[y * width + x] = sum
    }
  const data = new Uint8Array(width * height)
  for (const [y, { first, weights }] of rows.entries())
    for (let x = 0; x < width; x++) {
      let sum = 0
      for (let index = 0; index < weights.length; index++)
        sum += (weights[index] ?? 0) * (narrow[(first + index) * width + x] ?? 0)
      data[y * width + x] = Math.round(sum)
    }
  return { width, height, data }
}

/** How much of which old pixels makes each new one: a triangle as wide as the larger of both. */
const shares = (from: number, to: number): { first: number; weights: number[] }[] => {
  const step = from / to
  const reach = Math.max(1, step)
  return Array.from({ length: to }, (_, place) => {
    const middle = (place + 0.5) * step - 0.5
    const first = Math.max(0, Math.ceil(middle - reach))
    const last = Math.min(from - 1, Math.floor(middle + reach))
    const raw = Array.from({ length: last - first + 1 }, (__, index) =>
      Math.max(0, 1 - Math.abs(first + index - middle) / reach),
    )
    const sum = raw.reduce((total, weight) => total + weight, 0)
    return { first, weights: raw.map((weight) => weight / sum) }
  })
}

/**
 * The picture as a file (PGM). Its header is long because tesseract.js takes a sequence of bytes among the first 500 of
 * any file for the orientation of a photograph.
 */
export const greyFile = ({ width, height, data }: Grey): Buffer =>
  Buffer.concat([Buffer.from(`P5\n#${' '.repeat(500)}\n${width} ${height}\n255\n`), data])

/** Whether lines of text seem to run up or down: brightness varies more from column to column than from row to row. */
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

/** The mean square of the differences of neighbours. */
const roughness = (values: Float64Array): number => {
  let sum = 0
  for (let index = 1; index < values.length; index++) sum += ((values[index] ?? 0) - (values[index - 1] ?? 0)) ** 2
  return sum / Math.max(1, values.length - 1)
}
