import { append } from '@sallyport/kit/lists'
import { boundsOf, edgesOf, median } from '../geometry.js'
import type { Box } from '../geometry.js'

/** Min lines of a column: fewer are cells of a table, or a caption. */
const minLines = 3
/** Min width of a column in line heights: narrower ones are columns of a table, which is read by rows. */
const minWidth = 5
/** Min gap between columns in line heights. */
const minGutter = 0.5
/** Max share of the whole width for lines of a column: wider ones, such as titles, may span columns. */
const maxColumnShare = 0.6

/**
 * Sorts items by rows, or column by column where columns of text lie side by side. Items that span columns come between
 * those above and those below. The order of the input does not matter.
 */
export const inReadingOrder = <Item>(items: readonly Item[], boxOf: (item: Item) => Box): Item[] =>
  ordered(items.map((item) => ({ item, box: boxOf(item) }))).map(({ item }) => item)

interface Placed<Item = unknown> {
  readonly item: Item
  readonly box: Box
}

const ordered = <Item>(all: readonly Placed<Item>[]): Placed<Item>[] => {
  const gutter = gutterOf(all)
  return gutter === undefined ? byRows(all) : byColumns(all, gutter)
}

/** Left columns before right ones, in each section between items that span them. */
const byColumns = <Item>(all: readonly Placed<Item>[], gutter: number): Placed<Item>[] => {
  const result: Placed<Item>[] = []
  let [left, right]: [Placed<Item>[], Placed<Item>[]] = [[], []]
  const flush = () => {
    append(result, [...ordered(left), ...ordered(right)])
    left = []
    right = []
  }
  for (const placed of [...all].sort(downwards)) {
    const { box } = placed
    if (box.left + box.width <= gutter) left.push(placed)
    else if (box.left >= gutter) right.push(placed)
    else {
      flush()
      result.push(placed)
    }
  }
  flush()
  return result
}

/** The middle of the widest gap between columns; undefined where there is none. */
const gutterOf = (all: readonly Placed[]): number | undefined => {
  if (all.length < 2 * minLines) return undefined
  const { left, right } = boundsOf(all.map(({ box }) => edgesOf(box)))
  const narrow = all.filter(({ box }) => box.width <= maxColumnShare * (right - left))
  const height = median(all.map(({ box }) => box.height))
  const gaps: { middle: number; size: number }[] = []
  let covered = Infinity // there is no gap before the first item
  for (const { box } of [...narrow].sort((a, b) => a.box.left - b.box.left)) {
    const size = box.left - covered
    if (size >= minGutter * height) gaps.push({ middle: covered + size / 2, size })
    covered = Math.max(covered === Infinity ? box.left : covered, box.left + box.width)
  }
  return gaps.sort((a, b) => b.size - a.size).find(({ middle }) => areSideBySide(narrow, middle))?.middle
}

const areSideBySide = (narrow: readonly Placed[], gutter: number): boolean => {
  const left = narrow.filter(({ box }) => box.left < gutter)
  const right = narrow.filter(({ box }) => box.left >= gutter)
  if (!isColumn(left) || !isColumn(right)) return false
  const bounds = (side: readonly Placed[]) => boundsOf(side.map(({ box }) => edgesOf(box)))
  const [one, other] = [bounds(left), bounds(right)]
  const overlap = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  return overlap > 0.5 * Math.min(one.bottom - one.top, other.bottom - other.top)
}

const isColumn = (side: readonly Placed[]): boolean =>
  side.length >= minLines && median(side.map(({ box }) => box.width / box.height)) >= minWidth

const byRows = <Item>(all: readonly Placed<Item>[]): Placed<Item>[] => {
  const rows: Placed<Item>[][] = []
  for (const placed of [...all].sort(downwards)) {
    const row = rows.at(-1)
    const first = row?.[0]
    if (row && first && inSameRow(first.box, placed.box)) row.push(placed)
    else rows.push([placed])
  }
  return rows.flatMap((row) => row.sort((a, b) => a.box.left - b.box.left || downwards(a, b)))
}

const inSameRow = (one: Box, other: Box): boolean =>
  Math.abs(middleOf(one) - middleOf(other)) < 0.5 * Math.min(one.height, other.height)

const middleOf = ({ top, height }: Box): number => top + height / 2

const downwards = ({ box: a }: Placed, { box: b }: Placed): number =>
  middleOf(a) - middleOf(b) || a.left - b.left || a.width - b.width || a.height - b.height
