/** Texts that models read one after the other, as one. */

import type { Span } from '@sallyport/kit/views'
import { countUpTo } from '@sallyport/kit/lists'

export interface Sequence {
  readonly texts: readonly string[]
  /** Of each text, the turn that it is of: what stands in one turn alone is looked at there. */
  readonly turns: readonly unknown[]
  readonly whole: string
  /** Where each of the texts stands in the whole. */
  readonly spans: readonly Span[]
  /** Of the spans. */
  readonly ends: readonly number[]
}

/** @param separator between turns; there is none between the parts of one */
export const sequenceOf = (texts: readonly string[], turns: readonly unknown[], separator: string): Sequence => {
  const parts = texts.map((text, at) => (at && turns[at] !== turns[at - 1] ? separator : '') + text)
  let end = 0
  const ends = parts.map(({ length }) => (end += length))
  const spans = texts.map(({ length }, at) => ({ start: (ends[at] ?? 0) - length, end: ends[at] ?? 0 }))
  return { texts, turns, whole: parts.join(''), spans, ends }
}

/** Whether pieces are of several turns. */
export const areApart = ({ turns }: Sequence, pieces: readonly Piece[]): boolean =>
  pieces.some(({ at }, index) => turns[at] !== turns[pieces[index - 1]?.at ?? at])

/** A part of one of the texts. */
interface Piece extends Span {
  /** Position of the text. */
  readonly at: number
}

/** What a span of the whole is in each of the texts that it stands in. */
export const piecesOf = ({ spans, ends }: Sequence, { start, end }: Span): Piece[] => {
  const pieces: Piece[] = []
  for (let at = countUpTo(ends, start); ; at += 1) {
    const text = spans[at]
    if (!text || text.start >= end) return pieces
    const piece = { at, start: Math.max(0, start - text.start), end: Math.min(text.end, end) - text.start }
    if (piece.start < piece.end) pieces.push(piece)
  }
}
