/** Resamples parts of images to the input of the models. */

import type { Tensor } from '@sallyport/core'
import type { Raster } from '../../raster.js'
import type { Rectangle } from './rectangle.js'

/** Three planes (blue, green, red, as in the models’ training) of rows between -1 and 1. */
export interface Planes {
  readonly width: number
  readonly height: number
  readonly values: Float32Array
}

export type Colour = readonly [red: number, green: number, blue: number]

/**
 * Resamples the image inside a rectangle to a size. Where the result is smaller, its pixels are means of what they
 * cover.
 * @param background the colour of the area outside the image
 */
export const resample = (image: Raster, from: Rectangle, width: number, height: number, background: Colour): Planes => {
  const [cos, sin] = [Math.cos(from.angle), Math.sin(from.angle)]
  const [stepX, stepY] = [from.width / width, from.height / height]
  const [fineX, fineY] = [Math.max(1, Math.round(stepX)), Math.max(1, Math.round(stepY))]
  const sums = new Float32Array(3 * width * height)
  const addColour = bilinearAdder(image, sums, width * height, background)
  for (let row = 0; row < height * fineY; row++) {
    const across = ((row + 0.5) / fineY) * stepY - from.height / 2
    const start = Math.floor(row / fineY) * width
    for (let column = 0; column < width * fineX; column++) {
      const along = ((column + 0.5) / fineX) * stepX - from.width / 2
      const at = fineX === 1 ? start + column : start + Math.floor(column / fineX)
      addColour(from.x + along * cos - across * sin, from.y + along * sin + across * cos, at)
    }
  }
  const scale = 1 / (127.5 * fineX * fineY)
  for (let index = 0; index < sums.length; index++) sums[index] = (sums[index] ?? 0) * scale - 1
  return { width, height, values: sums }
}

/** Returns a function that adds the bilinearly interpolated colour at a point to the sums at an index. */
const bilinearAdder = ({ width, height, data }: Raster, sums: Float32Array, plane: number, background: Colour) => {
  const add = (pixelX: number, pixelY: number, weight: number, at: number): void => {
    const inside = pixelX >= 0 && pixelY >= 0 && pixelX < width && pixelY < height
    const from = 3 * (pixelY * width + pixelX)
    for (let channel = 0; channel < 3; channel++) {
      const place = at + (2 - channel) * plane
      const level = inside ? data[from + channel] : background[channel]
      sums[place] = (sums[place] ?? 0) + weight * (level ?? 0)
    }
  }
  return (x: number, y: number, at: number): void => {
    const left = Math.floor(x - 0.5)
    const top = Math.floor(y - 0.5)
    const right = x - 0.5 - left
    const down = y - 0.5 - top
    if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) {
      add(left, top, (1 - right) * (1 - down), at)
      add(left + 1, top, right * (1 - down), at)
      add(left, top + 1, (1 - right) * down, at)
      add(left + 1, top + 1, right * down, at)
      return
    }
    const upper = 3 * (top * width + left)
    const lower = upper + 3 * width
    for (let channel = 0; channel < 3; channel++) {
      const place = at + (2 - channel) * plane
      const above = (data[upper + channel] ?? 0) * (1 - right) + (data[upper + channel + 3] ?? 0) * right
      const below = (data[lower + channel] ?? 0) * (1 - right) + (data[lower + channel + 3] ?? 0) * right
      sums[place] = (sums[place] ?? 0) + above * (1 - down) + below * down
    }
  }
}

/** A tensor that shares the memory of its numbers. */
export const floatTensor = (shape: number[], values: Float32Array): Tensor => ({
  type: 'FP32',
  shape,
  data: new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
})

/** The numbers of a tensor; shares its memory where that is aligned. */
export const floatsOf = ({ data }: Tensor): Float32Array => {
  const aligned = data.byteOffset % 4 === 0 ? data : data.slice()
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4)
}
