import { maxOf } from '@sallyport/kit/lists'
import type { SpanSettings } from './prompt.js'
import { sigmoid } from '../statistics.js'

/** A span of words with its label; `first` and `last` are numbers of words, from 0, both included. */
export interface WordSpan {
  readonly label: string
  readonly first: number
  readonly last: number
  readonly score: number
}

/** The least probability of a span, as in the gliner library. */
const minScore = 0.5

/**
 * The spans of a text that the model takes for something, each with its likeliest label.
 * @param logits of words × widths × labels, row-major; more words may follow, which are padding
 * @param words how many words the text has
 */
export const scoredSpans = (
  logits: Float32Array,
  words: number,
  { labels, maxWidth }: Pick<SpanSettings, 'labels' | 'maxWidth'>,
): WordSpan[] => {
  const spans: WordSpan[] = []
  for (let first = 0; first < words; first += 1)
    for (let width = 0; width < maxWidth && first + width < words; width += 1) {
      const start = (first * maxWidth + width) * labels.length
      const row = Array.from(logits.subarray(start, start + labels.length), sigmoid)
      const score = maxOf(row)
      if (score > minScore) spans.push({ label: labels[row.indexOf(score)] ?? '', first, last: first + width, score })
    }
  return spans
}

/** Keeps the surest of spans that overlap, and sorts them by their place in the text. */
export const withoutOverlaps = (spans: readonly WordSpan[]): WordSpan[] => {
  const taken = new Set<number>()
  return spans
    .toSorted((one, other) => other.score - one.score || one.first - other.first)
    .filter(({ first, last }) => {
      const words = Array.from({ length: last - first + 1 }, (_, index) => first + index)
      if (words.some((word) => taken.has(word))) return false
      for (const word of words) taken.add(word)
      return true
    })
    .toSorted((one, other) => one.first - other.first)
}
