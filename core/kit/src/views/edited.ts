/** Views with parts of another one read as something else. */

import { failure } from '@sallyport/core/errors'
import { countUpTo } from '../lists/sorted.js'
import type { Span, View } from './view.js'

/** A part of a text that reads as something else. */
export interface Edit extends Span {
  readonly reads: string
}

/** What stands there is not shown. */
export const nothing = '\u200b'

/** Edits of a text: finding them holds everything else up. */
const mostEdits = 2 ** 17
/** Those that show nothing are found in less time, and long HTML has many. */
const mostHidden = 2 ** 19

/** @throws safeguard_unavailable for more of them than can be undone */
export function* bounded(edits: Iterable<Edit>): Generator<Edit> {
  let [shown, hidden] = [0, 0]
  for (const edit of edits) {
    if (edit.reads === nothing && (hidden += 1) > mostHidden) throw tooMany(mostHidden, 'parts that are not shown')
    if (edit.reads !== nothing && (shown += 1) > mostEdits) throw tooMany(mostEdits, 'escapes')
    yield edit
  }
}

const tooMany = (most: number, what: string) =>
  failure('safeguard_unavailable', { problem: `a text has more than ${most} ${what}: send less at a time` })

/** A view that has the rest of another one as it stands there. */
export interface EditedView extends View {
  readonly of: View
  /** Whether all of a span of this view stands so in the other one. */
  readonly holds: (span: Span) => boolean
  /** Whether all of a span of the other one stands so in this view. */
  readonly has: (span: Span) => boolean
}

/** Where edits stand, in the new text and in the old one. */
interface Places {
  readonly starts: number[]
  readonly ends: number[]
  readonly from: number[]
  readonly to: number[]
}

/** How much of a part comes before a position in what it reads as. */
type Share = (position: number, length: number, part: number) => number

const floor: Share = (position, length, part) => Math.floor((position * part) / length)
const ceil: Share = (position, length, part) => Math.ceil((position * part) / length)
const none: Share = () => 0
const all: Share = (_position, _length, part) => part

/**
 * Each unit of what a part reads as was written in an equal share of the part.
 * @param edits in their order, without overlaps
 * @returns undefined where there are none
 */
export const edited = (view: View, edits: Iterable<Edit>): EditedView | undefined => made(view, edits, floor, ceil)

/** The same, but whatever lies in an edit stands for all of its part. */
export const rewritten = (view: View, edits: Iterable<Edit>): EditedView | undefined => made(view, edits, none, all)

const made = (of: View, edits: Iterable<Edit>, before: Share, behind: Share): EditedView | undefined => {
  const places: Places = { starts: [], ends: [], from: [], to: [] }
  const parts: string[] = []
  let [from, length] = [0, 0]
  for (const { start, end, reads } of edits) {
    parts.push(of.text.slice(from, start), reads)
    length += start - from
    places.starts.push(length)
    length += reads.length
    places.ends.push(length)
    places.from.push(start)
    places.to.push(end)
    from = end
  }
  if (parts.length === 0) return undefined
  return {
    text: parts.join('') + of.text.slice(from),
    of,
    sourceOf: ({ start, end }) =>
      of.sourceOf({
        start: placeOf(places, start, countUpTo(places.ends, start), before),
        end: placeOf(places, end, countUpTo(places.ends, end - 1), behind),
      }),
    holds: isBetween(places.starts, places.ends),
    has: isBetween(places.from, places.to),
  }
}

/** @param edit the first that does not end before the position */
const placeOf = ({ starts, ends, from, to }: Places, position: number, edit: number, share: Share): number => {
  const [start = Infinity, end = Infinity, first = 0, last = 0] = [starts[edit], ends[edit], from[edit], to[edit]]
  if (position > start) return first + share(position - start, end - start, last - first)
  return position - (ends[edit - 1] ?? 0) + (to[edit - 1] ?? 0)
}

const isBetween =
  (starts: readonly number[], ends: readonly number[]) =>
  ({ start, end }: Span): boolean =>
    (starts[countUpTo(ends, start)] ?? Infinity) >= end

/** A line for each of some parts of a text, of what it reads as; undefined where there are none. */
export const linesOf = ({ sourceOf }: View, parts: readonly Edit[]): View | undefined => {
  const ends: number[] = []
  let text = ''
  for (const { reads } of parts) ends.push((text += `${reads}\n`).length)
  const partAt = (position: number) => parts[Math.min(countUpTo(ends, position), parts.length - 1)]
  if (parts.length === 0) return undefined
  return {
    text,
    sourceOf: ({ start, end }) => sourceOf({ start: partAt(start)?.start ?? 0, end: partAt(end - 1)?.end ?? 0 }),
  }
}
