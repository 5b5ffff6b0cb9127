/** Pixels of a picture under a transformation, as the models read them. */

import type { Raster } from '../engine.js'
import { edgeColour } from '../raster.js'
import type { Rectangle } from './rectangle.js'
import { normalised } from './tensors.js'

/** Three planes (blue, green, red, the order of the models’ training) of rows between -1 and 1. */
export interface Planes {
  readonly width: number
  readonly height: number
  readonly values: Float32Array
}

/**
 * The picture inside a rectangle, brought to a size. What lies outside the picture has the colour of its edge. Where
 * the result is smaller, each of its pixels is the mean of what it covers.
 */
export const sample = (picture: Raster, from: Rectangle, width: number, height: number): Planes => {
  const [cos, sin] = [Math.cos(from.angle), Math.sin(from.angle)]
  const [stepX, stepY] = [from.width / width, from.height / height]
  const [fineX, fineY] = [Math.max(1, Math.round(stepX)), Math.max(1, Math.round(stepY))]
  const values = new Float32Array(3 * width * height)
  const plane = width * height
  const colour = new Float64Array(3)
  const beyond = edgeColour(picture)
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      colour.fill(0)
      for (let y = 0; y < fineY; y++)
        for (let x = 0; x < fineX; x++) {
          const along = (column + (x + 0.5) / fineX) * stepX - from.width / 2
          const across = (row + (y + 0.5) / fineY) * stepY - from.height / 2
          addPixel(colour, picture, from.x + along * cos - across * sin, from.y + along * sin + across * cos, beyond)
        }
      const at = row * width + column
      const count = fineX * fineY
      values[at] = normalised((colour[2] ?? 0) / count)
      values[at + plane] = normalised((colour[1] ?? 0) / count)
      values[at + 2 * plane] = normalised((colour[0] ?? 0) / count)
    }
  return { width, height, values }
}

/** Between the four pixels whose middles are nearest. */
const addPixel = (
  sum: Float64Array,
  { width, height, data }: Raster,
  x: number,
  y: number,
  beyond: readonly [number, number, number],
): void => {
  const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)]
  const [right, down] = [x - 0.5 - left, y - 0.5 - top]
  for (let j = 0; j < 2; j++)
    for (let i = 0; i < 2; i++) {
      const weight = (i ? right : 1 - right) * (j ? down : 1 - down)
      if (weight === 0) continue
      const [px, py] = [left + i, top + j]
      const inside = px >= 0 && py >= 0 && px < width && py < height
      const at = 3 * (py * width + px)
      for (let channel = 0; channel < 3; channel++)
        sum[channel] = (sum[channel] ?? 0) + weight * ((inside ? data[at + channel] : beyond[channel]) ?? 0)
    }
}
