/** Views in which parts of another view are replaced. */

import { failure } from '@sallyport/core/errors'
import { countUpTo } from '../lists/count-up-to.js'
import type { Span, View } from './view.js'

/** A part of a text, and what it reads as. */
export interface Edit extends Span {
  readonly replacement: string
}

/** The replacement for a part that is not shown. */
export const invisibleText = '\u200b'

/** The maximum number of edits of a text: finding them blocks everything else. */
const maxEdits = 2 ** 17
/** The maximum number of parts that are not shown: they are found in less time, and long HTML has many. */
const maxHidden = 2 ** 19

/** Passes edits on. @throws safeguard_unavailable for more edits than can be applied */
export function* boundedEdits(edits: Iterable<Edit>): Generator<Edit> {
  let [shown, hidden] = [0, 0]
  for (const edit of edits) {
    if (edit.replacement === invisibleText && (hidden += 1) > maxHidden)
      throw tooMany(maxHidden, 'parts that are not shown')
    if (edit.replacement !== invisibleText && (shown += 1) > maxEdits) throw tooMany(maxEdits, 'escapes')
    yield edit
  }
}

const tooMany = (max: number, what: string) =>
  failure('safeguard_unavailable', { problem: `a text has more than ${max} ${what}: send less at a time` })

/** A view that keeps the rest of another view unchanged. */
export interface EditedView extends View {
  readonly base: View
  /** Whether the base has all of a span of this view unchanged. */
  readonly isInBase: (span: Span) => boolean
  /** Whether this view has all of a span of the base unchanged. */
  readonly keepsOfBase: (span: Span) => boolean
}

/** Where edits are, in the new text (`starts`, `ends`) and in the old one (`from`, `to`). */
interface EditPositions {
  readonly starts: number[]
  readonly ends: number[]
  readonly from: number[]
  readonly to: number[]
}

/** How much of the replaced part comes before a position in its replacement. */
type Share = (position: number, length: number, part: number) => number

const floor: Share = (position, length, part) => Math.floor((position * part) / length)
const ceil: Share = (position, length, part) => Math.ceil((position * part) / length)
const none: Share = () => 0
const all: Share = (_position, _length, part) => part

/**
 * Replaces parts of a view; each unit of a replacement stands for an equal share of the part.
 * @param edits in their order, without overlaps
 * @returns undefined where there are none
 */
export const edited = (view: View, edits: Iterable<Edit>): EditedView | undefined =>
  editedView(view, edits, floor, ceil)

/** Like {@link edited}, but each unit of a replacement stands for all of the part. */
export const rewritten = (view: View, edits: Iterable<Edit>): EditedView | undefined =>
  editedView(view, edits, none, all)

const editedView = (base: View, edits: Iterable<Edit>, before: Share, after: Share): EditedView | undefined => {
  const places: EditPositions = { starts: [], ends: [], from: [], to: [] }
  const parts: string[] = []
  let [from, length] = [0, 0]
  for (const { start, end, replacement } of edits) {
    parts.push(base.text.slice(from, start), replacement)
    length += start - from
    places.starts.push(length)
    length += replacement.length
    places.ends.push(length)
    places.from.push(start)
    places.to.push(end)
    from = end
  }
  if (parts.length === 0) return undefined
  return {
    text: parts.join('') + base.text.slice(from),
    base,
    sourceOf: ({ start, end }) =>
      base.sourceOf({
        start: positionIn(places, start, countUpTo(places.ends, start), before),
        end: positionIn(places, end, countUpTo(places.ends, end - 1), after),
      }),
    isInBase: isBetween(places.starts, places.ends),
    keepsOfBase: isBetween(places.from, places.to),
  }
}

/** @param edit index of the edit in which the position lies, or else of the next one */
const positionIn = (
  { starts, ends, from, to }: EditPositions,
  position: number,
  edit: number,
  share: Share,
): number => {
  const [start = Infinity, end = Infinity, first = 0, last = 0] = [starts[edit], ends[edit], from[edit], to[edit]]
  if (position > start) return first + share(position - start, end - start, last - first)
  return position - (ends[edit - 1] ?? 0) + (to[edit - 1] ?? 0)
}

const isBetween =
  (starts: readonly number[], ends: readonly number[]) =>
  ({ start, end }: Span): boolean =>
    (starts[countUpTo(ends, start)] ?? Infinity) >= end

/** The replacements of some parts of a text, a line for each; undefined where there are none. */
export const linesOf = ({ sourceOf }: View, parts: readonly Edit[]): View | undefined => {
  const ends: number[] = []
  let text = ''
  for (const { replacement } of parts) ends.push((text += `${replacement}\n`).length)
  const partAt = (position: number) => parts[Math.min(countUpTo(ends, position), parts.length - 1)]
  if (parts.length === 0) return undefined
  return {
    text,
    sourceOf: ({ start, end }) => sourceOf({ start: partAt(start)?.start ?? 0, end: partAt(end - 1)?.end ?? 0 }),
  }
}
