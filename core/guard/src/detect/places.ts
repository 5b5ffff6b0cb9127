/** Places of findings in a text. */

import type { Finding } from '@sallyport/core'
import type { Reading, Span } from '@sallyport/kit/views'

/** A span of the text, with its content and the finding in it. */
export interface Place extends Span {
  /** Levels of escapes undone in the reading of the finding; 0 for the original text. */
  readonly depth: number
  /** The text of the span, with escapes undone. */
  readonly content: string
  /** The finding, as a span of the content. */
  readonly finding: Finding
  /** For a JSON string that contains JSON itself: the places in that. */
  readonly nested?: readonly Place[]
}

/** Copies field by field: there may be hundreds of thousands of findings, and object spread takes ten times as long. */
export const placeOf = (finding: Finding, { depth, text, sourceOf }: Reading): Place => {
  const { start, end } = sourceOf(finding)
  const content = text.slice(finding.start, finding.end)
  return { start, end, depth, content, finding: findingAt(finding, 0, content.length) }
}

const findingAt = ({ type, score }: Finding, start: number, end: number): Finding => ({ type, start, end, score })

/** The finding, as a span of the text. */
export const findingInText = ({ finding, start, end }: Place): Finding => findingAt(finding, start, end)

/** A content that the finding covers completely. */
export const wholeContent = (finding: Finding, content: string): Pick<Place, 'content' | 'finding'> => ({
  content,
  finding: findingAt(finding, 0, content.length),
})

/** Sorts places by start, and merges overlapping ones into one with the type of the longest. */
export const withoutOverlaps = (text: string, places: readonly Place[]): Place[] => {
  const kept: Place[] = []
  const sorted = places.toSorted((a, b) => a.start - b.start || lengthOf(b) - lengthOf(a) || a.depth - b.depth)
  for (const place of sorted) {
    const last = kept.at(-1)
    if (!last || place.start >= last.end) kept.push(place)
    else if (place.end > last.end) kept.splice(-1, 1, merge(text, last, place))
  }
  return kept
}

const lengthOf = ({ start, end }: Span) => end - start

const merge = (text: string, { start, ...first }: Place, { end, ...second }: Place): Place => {
  const { finding } = second.content.length > first.content.length ? second : first
  return { start, end, depth: 0, ...wholeContent(finding, text.slice(start, end)) }
}
