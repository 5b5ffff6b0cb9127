import { minOf } from '@sallyport/kit/lists'
import { boundsOf, median } from '../../geometry.js'
import { textOfSegment } from './segments.js'
import type { Segment } from './segments.js'

/** Segments at the same height, from left to right. */
export type Line = readonly Segment[]

/** Lines that belong together, such as those of a column. */
export type Region = readonly Line[]

/** Pages with more segments are not searched for columns, which would take long. */
const maxSegments = 2000

/** The regions of a page in reading order: columns one after another, and spanning text before or after them. */
export const regionsOf = (segments: readonly Segment[]): Region[] => {
  const columns = segments.length > maxSegments ? undefined : columnsIn(segments)
  if (!columns) return segments.length > 0 ? [linesOf(segments)] : []
  const { above, left, right, below } = columns
  return [above, left, right, below].flatMap(regionsOf)
}

/** The lines from the top. */
const linesOf = (segments: readonly Segment[]): Line[] => {
  const lines: Segment[][] = []
  for (const segment of [...segments].sort((one, other) => centre(one) - centre(other))) {
    const last = lines.at(-1)
    const size = minOf([segment.size, ...(last ?? []).map((one) => one.size)])
    if (last?.[0] && Math.abs(centre(last[0]) - centre(segment)) < 0.5 * size) last.push(segment)
    else lines.push([segment])
  }
  return lines.map((line) => line.sort((one, other) => one.left - other.left))
}

const centre = ({ top, bottom }: Segment) => (top + bottom) / 2

interface Interval {
  readonly start: number
  readonly end: number
}

/** Two columns side by side, with the segments above and below them. */
interface Columns {
  readonly above: readonly Segment[]
  readonly left: readonly Segment[]
  readonly right: readonly Segment[]
  readonly below: readonly Segment[]
}

/** The longest columns, or undefined where there are none. */
const columnsIn = (segments: readonly Segment[]): Columns | undefined => {
  if (segments.length < 6) return undefined
  const lines = linesOf(segments)
  const size = median(segments.map((one) => one.size))
  let best: Columns | undefined
  for (const edge of edgesIn(segments, size)) {
    const gutter = { start: edge - 0.8 * size, end: edge }
    for (const { start, end } of runsBeside(lines, gutter)) {
      if (end - start < 3) continue
      const found = columnsAt(lines, start, end, gutter.end)
      if (sizeOf(found) > sizeOf(best) && areColumns(found)) best = found
    }
  }
  return best
}

const sizeOf = (columns: Columns | undefined) => (columns ? columns.left.length + columns.right.length : 0)

/** Left edges that three segments share, and those a little left of them: where a right column may start. */
const edgesIn = (segments: readonly Segment[], size: number): number[] => {
  const counts = new Map<number, number>()
  for (const { left } of segments) counts.set(Math.floor(left), (counts.get(Math.floor(left)) ?? 0) + 1)
  const lefts = [...counts.keys()]
  const common = lefts.filter((left) => (counts.get(left) ?? 0) > 2)
  return lefts.filter((left) => common.some((one) => left <= one && one - left < 3 * size))
}

/** Ranges of consecutive lines that leave a vertical band empty. */
const runsBeside = (lines: readonly Line[], band: Interval): Interval[] => {
  const runs: Interval[] = []
  let start = 0
  for (const [index, line] of [...lines, undefined].entries()) {
    if (line && !line.some(({ left, right }) => left < band.end && right > band.start)) continue
    if (index > start) runs.push({ start, end: index })
    start = index + 1
  }
  return runs
}

/**
 * Divides lines at an edge. Short lines at the top of the left column without a right neighbour belong above the
 * columns.
 */
const columnsAt = (lines: readonly Line[], start: number, end: number, edge: number): Columns => {
  const width = edge - minOf(lines.slice(start, end).flatMap((line) => line.map(({ left }) => left)))
  const begins = (line: Line) =>
    line.every(({ left }) => left >= edge) ||
    line.some(({ left, right }) => right - left > 0.5 * width || (left >= edge && left < edge + 2))
  const first = lines.slice(start, end).findIndex(begins)
  const from = first < 0 ? end : start + first
  const inside = lines.slice(from, end).flat()
  return {
    above: lines.slice(0, from).flat(),
    left: inside.filter(({ left }) => left < edge),
    right: inside.filter(({ left }) => left >= edge),
    below: lines.slice(end).flat(),
  }
}

const areColumns = ({ left, right }: Columns): boolean => {
  const filled = isColumn(left) && isText(right)
  if (!filled && (!isLong(left) || !isLong(right) || areRows(left, right))) return false
  const [one, other] = [boundsOf(left), boundsOf(right)]
  const overlap = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  return overlap > 2 * median(left.map(({ size }) => size))
}

/** Whether there are many lines of some length, as in long lists. */
const isLong = (segments: readonly Segment[]): boolean => {
  const long = segments.filter((one) => textOfSegment(one).length > 15).length
  return long > 7 && long * 3 > segments.length
}

/** Whether most lines have a neighbour at the same height, as cells of a table do. */
const areRows = (left: readonly Segment[], right: readonly Segment[]): boolean => {
  const cells = left.filter((one) => right.some((other) => Math.abs(centre(one) - centre(other)) < 0.15 * one.size))
  return cells.length > 0.6 * Math.min(left.length, right.length)
}

/** Whether the segments form one or several columns. */
const isText = (segments: readonly Segment[]): boolean =>
  isColumn(segments) || sizeOf(columnsIn(segments)) > 0.8 * Math.max(1, segments.length)

/** Whether most lines fill the width, unlike cells of tables. */
const isColumn = (segments: readonly Segment[]): boolean => {
  if (segments.length < 3) return false
  const bounds = boundsOf(segments)
  const width = bounds.right - bounds.left
  const filled = segments.filter(({ left, right }) => right - left > 0.6 * width).length
  const long = median(segments.map((one) => textOfSegment(one).length))
  return filled * 2 > segments.length && long > 15
}
