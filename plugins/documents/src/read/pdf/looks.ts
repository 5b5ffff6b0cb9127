import { textOfSegment } from './segments.js'
import type { Segment } from './segments.js'

/** Levels of headings by how they look. */
export interface Looks {
  /** Height of the font of most of the text. */
  readonly body: number
  /** Heights of those of headings, the largest first. */
  readonly headings: readonly number[]
}

/** A heading is larger by this than the text. */
const larger = 1.12

/** The looks of a document, by all its segments: most characters are text, and larger ones are few. */
export const looksOf = (segments: readonly Segment[]): Looks => {
  const amounts = new Map<number, number>()
  for (const segment of segments) {
    const size = Math.round(segment.size * 4) / 4
    amounts.set(size, (amounts.get(size) ?? 0) + textOfSegment(segment).length)
  }
  const all = [...amounts.values()].reduce((sum, amount) => sum + amount, 0)
  const [body] = [...amounts].sort((one, other) => other[1] - one[1])[0] ?? [0]
  const headings = [...amounts]
    .filter(([size, amount]) => size > larger * body && amount < 0.3 * all)
    .map(([size]) => size)
    .sort((one, other) => other - one)
  return { body, headings: distinct(headings).slice(0, 4) }
}

/** Sizes that can be told apart. */
const distinct = (sizes: readonly number[]): number[] =>
  sizes.filter((size, index) => index === 0 || (sizes[index - 1] ?? 0) - size > 0.03 * size)
