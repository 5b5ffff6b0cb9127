/** Cuts lines that are too long for the recogniser. */

import type { Rectangle } from './rectangle.js'
import type { Planes } from './resample.js'

/** Columns from the even division within which a cut is searched for. */
const reach = 150
/** Columns on either side of its middle that a gap between words has at least. */
const gap = 4

/**
 * The columns at which to cut a strip into parts of at most `maxColumns`: in gaps between words, where there are any.
 */
export const cutsOf = (strip: Planes, maxColumns: number): number[] => {
  const count = Math.ceil(strip.width / Math.max(1, maxColumns - 2 * reach))
  if (strip.width <= maxColumns) return []
  const contrasts = Array.from({ length: strip.width }, (_, column) => contrastAt(strip, column))
  return Array.from({ length: count - 1 }, (_, index) => {
    const middle = Math.round(((index + 1) * strip.width) / count)
    let [best, lowest] = [middle, Infinity]
    for (let column = middle - reach; column <= middle + reach; column++) {
      const contrast = contrasts.slice(Math.max(0, column - gap), column + gap + 1).reduce((sum, one) => sum + one, 0)
      if (contrast < lowest) [best, lowest] = [column, contrast]
    }
    return best
  })
}

const contrastAt = ({ width, height, values }: Planes, column: number): number => {
  let [min, max] = [Infinity, -Infinity]
  for (let row = 0; row < height; row++) {
    const level = values[row * width + column] ?? 0
    min = Math.min(min, level)
    max = Math.max(max, level)
  }
  return max - min
}

/** The parts of a line between cuts. @param columns of the whole line */
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
