/** Texts that models read one after the other, as one. */

import type { Span } from '@sallyport/kit/views'
import { countUpTo } from '@sallyport/kit/lists'

export interface Sequence {
  readonly texts: readonly string[]
  /** The turn that each text is of: what stands in one turn alone is looked at there. */
  readonly turns: readonly unknown[]
  readonly whole: string
  /** Where each of the texts stands in the whole. */
  readonly spans: readonly Span[]
  /** The ends of the spans. */
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

/** Whether parts are of several turns. */
export const areApart = ({ turns }: Sequence, parts: readonly TextPart[]): boolean =>
  parts.some(({ at }, index) => turns[at] !== turns[parts[index - 1]?.at ?? at])

/** A part of one of the texts. */
interface TextPart extends Span {
  /** Position of the text. */
  readonly at: number
}

/** What a span of the whole is in each of the texts that it stands in. */
export const partsIn = ({ spans, ends }: Sequence, { start, end }: Span): TextPart[] => {
  const parts: TextPart[] = []
  for (let at = countUpTo(ends, start); ; at += 1) {
    const text = spans[at]
    if (!text || text.start >= end) return parts
    const part = { at, start: Math.max(0, start - text.start), end: Math.min(text.end, end) - text.start }
    if (part.start < part.end) parts.push(part)
  }
}
