/** A text with parts of it read as something else, and where each of them was written. */

import { failure } from '@sallyport/core/errors'
import { countUpTo } from '../lists/sorted.js'

/** Half-open, in UTF-16 code units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A part of a text that reads as something else; each unit of that was written in an equal share of the part. */
export interface Edit extends Span {
  /** At least one UTF-16 unit. */
  readonly reads: string
}

/** What stands there is not shown. */
export const nothing = '\u200b'

export interface Edited {
  readonly text: string
  /** The span of the source that a span of the text was written in. */
  readonly sourceOf: (span: Span) => Span
}

/** Edits of a text: finding them holds everything else up. */
const mostEdits = 2 ** 17
/** Those that show nothing are found in less time, and long HTML has many. */
const mostHidden = 2 ** 19

/** Where the edits stand, in the new text and in the old one. */
interface Places {
  readonly starts: number[]
  readonly ends: number[]
  readonly written: Span[]
}

/**
 * @param edits in their order, without overlaps
 * @returns undefined where there are none
 * @throws safeguard_unavailable where there are more than can be undone
 */
export const edited = (text: string, edits: Iterable<Edit>): Edited | undefined => {
  const places: Places = { starts: [], ends: [], written: [] }
  const parts: string[] = []
  let [from, length, hidden] = [0, 0, 0]
  for (const { start, end, reads } of edits) {
    if (reads === nothing && (hidden += 1) > mostHidden) throw tooMany(mostHidden, 'parts that are not shown')
    if (reads !== nothing && places.ends.length - hidden === mostEdits) throw tooMany(mostEdits, 'escapes')
    parts.push(text.slice(from, start), reads)
    length += start - from
    places.starts.push(length)
    length += reads.length
    places.ends.push(length)
    places.written.push({ start, end })
    from = end
  }
  if (parts.length === 0) return undefined
  return {
    text: parts.join('') + text.slice(from),
    sourceOf: ({ start, end }) => ({
      start: placeOf(places, start, Math.floor),
      end: placeOf(places, end, Math.ceil),
    }),
  }
}

const tooMany = (most: number, what: string) =>
  failure('safeguard_unavailable', { problem: `a text has more than ${most} ${what}: send less at a time` })

const placeOf = ({ starts, ends, written }: Places, position: number, round: (value: number) => number): number => {
  const behind = countUpTo(ends, position)
  const [start = Infinity, end = Infinity, part] = [starts[behind], ends[behind], written[behind]]
  if (part && position > start)
    return part.start + round(((position - start) * (part.end - part.start)) / (end - start))
  return position - (ends[behind - 1] ?? 0) + (written[behind - 1]?.end ?? 0)
}
