/** Joins texts, and splits spans of the whole into their parts. */

import type { Span } from '@sallyport/kit/views'
import { countUpTo } from '@sallyport/kit/lists'

export interface TextsWithSpans {
  readonly texts: readonly string[]
  /** The turn of each text. Findings within one turn are found when that turn is checked. */
  readonly turns: readonly unknown[]
  readonly joined: string
  /** The span of each text in the joined text. */
  readonly spans: readonly Span[]
  /** The ends of the spans. */
  readonly ends: readonly number[]
}

/** @param separator is put between turns, not between the parts of one turn */
export const joinWithSpans = (
  texts: readonly string[],
  turns: readonly unknown[],
  separator: string,
): TextsWithSpans => {
  const parts = texts.map((text, at) => (at && turns[at] !== turns[at - 1] ? separator : '') + text)
  let end = 0
  const ends = parts.map(({ length }) => (end += length))
  const spans = texts.map(({ length }, at) => ({ start: (ends[at] ?? 0) - length, end: ends[at] ?? 0 }))
  return { texts, turns, joined: parts.join(''), spans, ends }
}

/** Whether the parts belong to several turns. */
export const areInSeveralTurns = ({ turns }: TextsWithSpans, parts: readonly TextPart[]): boolean =>
  parts.some(({ textIndex }, index) => turns[textIndex] !== turns[parts[index - 1]?.textIndex ?? textIndex])

/** A part of one of the texts. */
interface TextPart extends Span {
  /** Position of the text. */
  readonly textIndex: number
}

/** Splits a span of the joined text into its part of each text. */
export const partsIn = ({ spans, ends }: Pick<TextsWithSpans, 'spans' | 'ends'>, { start, end }: Span): TextPart[] => {
  const parts: TextPart[] = []
  for (let at = countUpTo(ends, start); ; at += 1) {
    const text = spans[at]
    if (!text || text.start >= end) return parts
    const part = { textIndex: at, start: Math.max(0, start - text.start), end: Math.min(text.end, end) - text.start }
    if (part.start < part.end) parts.push(part)
  }
}
