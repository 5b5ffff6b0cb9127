/** Where in a text something was found, and what is said there. */

import type { Finding } from '@sallyport/core'
import type { Reading, Span } from '@sallyport/kit/views'

/** A span of the text, what it says, and what was found in that. */
export interface Place extends Span {
  /** The depth of the reading that it was found in. */
  readonly depth: number
  readonly content: string
  /** Its span is one of the content. */
  readonly finding: Finding
  /** Where it is a whole string whose content is JSON of its own, what was found in that. */
  readonly nested?: readonly Place[]
}

/** Field by field, here as below: there may be hundreds of thousands, and copies of objects take ten times as long. */
export const placeOf = (finding: Finding, { depth, text, sourceOf }: Reading): Place => {
  const { start, end } = sourceOf(finding)
  const content = text.slice(finding.start, finding.end)
  return { start, end, depth, content, finding: foundAt(finding, 0, content.length) }
}

const foundAt = ({ type, score }: Finding, start: number, end: number): Finding => ({ type, start, end, score })

/** What was found, as spans of the text. */
export const foundIn = ({ finding, start, end }: Place): Finding => foundAt(finding, start, end)

/** A content that is all found. */
export const filledBy = (finding: Finding, content: string): Pick<Place, 'content' | 'finding'> => ({
  content,
  finding: foundAt(finding, 0, content.length),
})

/** In order of their start; those that overlap become one, of the longest one's type. */
export const withoutOverlaps = (text: string, places: readonly Place[]): Place[] => {
  const kept: Place[] = []
  const sorted = places.toSorted((a, b) => a.start - b.start || lengthOf(b) - lengthOf(a) || a.depth - b.depth)
  for (const place of sorted) {
    const last = kept.at(-1)
    if (!last || place.start >= last.end) kept.push(place)
    else if (place.end > last.end) kept.splice(-1, 1, united(text, last, place))
  }
  return kept
}

const lengthOf = ({ start, end }: Span) => end - start

const united = (text: string, { start, ...first }: Place, { end, ...second }: Place): Place => {
  const { finding } = second.content.length > first.content.length ? second : first
  return { start, end, depth: 0, ...filledBy(finding, text.slice(start, end)) }
}
