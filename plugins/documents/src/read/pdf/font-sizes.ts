import { textOfSegment } from './segments.js'
import type { Segment } from './segments.js'

/** The font sizes of a document, by which headings are detected. */
export interface FontSizes {
  /** That of most of the text. */
  readonly body: number
  /** Those of headings, the largest first. */
  readonly headings: readonly number[]
}

/** Min ratio of a heading's font size to that of the text. */
const minHeadingRatio = 1.12

/** Finds the font sizes of text, which most characters have, and of headings, which are larger and rare. */
export const fontSizesOf = (segments: readonly Segment[]): FontSizes => {
  const amounts = new Map<number, number>()
  for (const segment of segments) {
    const size = Math.round(segment.size * 4) / 4
    amounts.set(size, (amounts.get(size) ?? 0) + textOfSegment(segment).length)
  }
  const all = [...amounts.values()].reduce((sum, amount) => sum + amount, 0)
  const [body] = [...amounts].sort((one, other) => other[1] - one[1])[0] ?? [0]
  const headings = [...amounts]
    .filter(([size, amount]) => size > minHeadingRatio * body && amount < 0.3 * all)
    .map(([size]) => size)
    .sort((one, other) => other - one)
  return { body, headings: distinct(headings).slice(0, 4) }
}

/** Removes sizes that are little smaller than the one before. */
const distinct = (sizes: readonly number[]): number[] =>
  sizes.filter((size, index) => index === 0 || (sizes[index - 1] ?? 0) - size > 0.03 * size)
