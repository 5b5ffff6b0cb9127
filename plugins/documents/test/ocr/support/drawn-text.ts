/** Images of text in a tiny font, made larger and smooth, so that real engines read it. */

import type { Raster } from '../../../src/raster.js'

/** Five columns of seven pixels each; the lowest bit is the upper one. */
const glyphs: Readonly<Record<string, string>> = {
  A: '7e1111117e',
  C: '3e41414122',
  D: '7f4141413e',
  E: '7f49494941',
  F: '7f09090901',
  G: '3e41495a3a',
  H: '7f0808087f',
  I: '00417f4100',
  L: '7f40404040',
  M: '7f020c027f',
  N: '7f0408107f',
  O: '3e4141413e',
  P: '7f09090906',
  R: '7f09192946',
  S: '2649494932',
  T: '01017f0101',
  U: '3f4040403f',
  W: '3f4038403f',
  Y: '0708700807',
}

const margin = 6
const advance = 6
const lineAdvance = 12

/**
 * Black on white.
 * @param size pixels for one of the font's
 */
export const drawnText = (lines: readonly string[], size = 4): Raster => {
  const width = 2 * margin + advance * Math.max(...lines.map((line) => line.length))
  const height = 2 * margin + lineAdvance * lines.length
  const data = new Uint8Array(width * height).fill(255)
  for (const [row, line] of lines.entries())
    for (const [place, character] of Array.from(line).entries())
      for (let column = 0; column < 5; column++)
        for (let bit = 0; bit < 7; bit++)
          if ((parseInt(glyphs[character]?.slice(2 * column, 2 * column + 2) ?? '00', 16) >> bit) & 1)
            data[(margin + row * lineAdvance + bit) * width + margin + place * advance + column] = 0
  return enlarged({ width, height, data }, size)
}

/** So many times as large, between the four nearest pixels, in three equal channels. */
const enlarged = (image: Raster, size: number): Raster => {
  const [width, height] = [image.width * size, image.height * size]
  const level = (column: number, row: number) =>
    image.data[
      Math.max(0, Math.min(row, image.height - 1)) * image.width + Math.max(0, Math.min(column, image.width - 1))
    ]!
  const mixed = (x: number, y: number) => {
    const [left, top] = [Math.floor(x), Math.floor(y)]
    const row = (at: number) => (1 - x + left) * level(left, at) + (x - left) * level(left + 1, at)
    return Math.round((1 - y + top) * row(top) + (y - top) * row(top + 1))
  }
  const data = Uint8Array.from({ length: 3 * width * height }, (_, index) => {
    const at = Math.floor(index / 3)
    return mixed(((at % width) + 0.5) / size - 0.5, (Math.floor(at / width) + 0.5) / size - 0.5)
  })
  return { width, height, data }
}

/** All pixels alike. */
export const blank = (width: number, height: number, level = 255): Raster => ({
  width,
  height,
  data: new Uint8Array(3 * width * height).fill(level),
})

/** The same at each run. */
export const noise = (width: number, height: number): Raster => {
  let state = 12345
  return {
    width,
    height,
    data: Uint8Array.from({ length: 3 * width * height }, () => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0
      return state >>> 24
    }),
  }
}
