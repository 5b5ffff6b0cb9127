/** Lines that are too long to be read at once. */

import type { Rectangle } from './rectangle.js'
import type { Planes } from './sample.js'

/** In columns: a cut is looked for as far as this from where it would make parts of equal length. */
const reach = 150
/** A gap between words is wider than this on either side of its middle. */
const gap = 4

/** At which columns to cut a strip into parts of no more than so many columns: between words, where there is a gap. */
export const cutsOf = (strip: Planes, most: number): number[] => {
  const count = Math.ceil(strip.width / Math.max(1, most - 2 * reach))
  if (strip.width <= most) return []
  const contrasts = Array.from({ length: strip.width }, (_, column) => contrastAt(strip, column))
  return Array.from({ length: count - 1 }, (_, index) => {
    const middle = Math.round(((index + 1) * strip.width) / count)
    let [best, least] = [middle, Infinity]
    for (let column = middle - reach; column <= middle + reach; column++) {
      const contrast = contrasts.slice(Math.max(0, column - gap), column + gap + 1).reduce((sum, one) => sum + one, 0)
      if (contrast < least) [best, least] = [column, contrast]
    }
    return best
  })
}

const contrastAt = ({ width, height, values }: Planes, column: number): number => {
  let [least, most] = [Infinity, -Infinity]
  for (let row = 0; row < height; row++) {
    const level = values[row * width + column] ?? 0
    least = Math.min(least, level)
    most = Math.max(most, level)
  }
  return most - least
}

/** The parts of a rectangle between cuts, which are columns of so many. */
export const partsOf = (line: Rectangle, cuts: readonly number[], columns: number): Rectangle[] => {
  const bounds = [0, ...cuts, columns].map((column) => (column / columns) * line.width)
  return bounds.slice(1).map((end, index) => {
    const start = bounds[index] ?? 0
    const shift = (start + end - line.width) / 2
    return {
      ...line,
      x: line.x + shift * Math.cos(line.angle),
      y: line.y + shift * Math.sin(line.angle),
      width: end - start,
    }
  })
}
