import { median, textOfSegment } from './segments.js'
import type { Segment } from './segments.js'

/** Segments side by side, from left to right. */
export type Line = readonly Segment[]

/** Lines that belong together, as those of a column do. */
export type Region = readonly Line[]

/** More are no columns of text, and would take long. */
const mostSegments = 2000

/** The regions of a page in reading order: columns one after the other, what spans them before and after. */
export const regionsOf = (segments: readonly Segment[]): Region[] =>
  segments.length > mostSegments
    ? [linesOf(segments)]
    : (columnsIn(segments) ?? [linesOf(segments)]).filter(({ length }) => length)

/** Undefined where there are no columns. */
const columnsIn = (segments: readonly Segment[]): Region[] | undefined => {
  if (segments.length < 6) return undefined
  const columns = columnCut(segments)
  if (columns) return columns.flatMap(regionsOf)
  const parts = widestBand(segments)
  const found = parts?.map(columnsIn)
  if (!parts || !found?.some(Boolean)) return undefined
  return parts.flatMap((part, index) => found[index] ?? [linesOf(part)])
}

/** Rows of segments at the same height, from the top. */
export const linesOf = (segments: readonly Segment[]): Line[] => {
  const lines: Segment[][] = []
  for (const segment of [...segments].sort((one, other) => centre(one) - centre(other))) {
    const last = lines.at(-1)
    const size = Math.min(segment.size, ...(last ?? []).map((one) => one.size))
    const level = last?.[0] && Math.abs(centre(last[0]) - centre(segment)) < 0.5 * size
    if (level) last.push(segment)
    else lines.push([segment])
  }
  return lines.map((line) => line.sort((one, other) => one.left - other.left))
}

const centre = ({ top, bottom }: Segment) => (top + bottom) / 2

interface Interval {
  start: number
  end: number
}

/** What the segments cover on an axis, without gaps. */
const covered = (
  segments: readonly Segment[],
  from: (one: Segment) => number,
  to: (one: Segment) => number,
): Interval[] => {
  const intervals: Interval[] = []
  for (const segment of [...segments].sort((one, other) => from(one) - from(other))) {
    const last = intervals.at(-1)
    if (last && from(segment) <= last.end) last.end = Math.max(last.end, to(segment))
    else intervals.push({ start: from(segment), end: to(segment) })
  }
  return intervals
}

/** Left and right of the white band between two columns of text; undefined where there are none, or a table's. */
const columnCut = (segments: readonly Segment[]): [Segment[], Segment[]] | undefined => {
  if (segments.length < 6) return undefined
  const size = median(segments.map((one) => one.size))
  const intervals = covered(
    segments,
    (one) => one.left,
    (one) => one.right,
  )
  for (let index = 1; index < intervals.length; index++) {
    const [before, after] = [intervals[index - 1], intervals[index]]
    if (!before || !after || after.start - before.end < 0.8 * size) continue
    const left = segments.filter(({ right }) => right <= before.end)
    const right = segments.filter((one) => one.left >= after.start)
    if (isColumn(left) && isColumn(right)) return [left, right]
  }
  return undefined
}

/** Lines of text that fill their width: cells of tables are short. */
const isColumn = (segments: readonly Segment[]): boolean => {
  if (segments.length < 3) return false
  const width = Math.max(...segments.map(({ right }) => right)) - Math.min(...segments.map(({ left }) => left))
  const filled = segments.filter(({ left, right }) => right - left > 0.6 * width).length
  const long = median(segments.map((one) => textOfSegment(one).length))
  return filled * 2 > segments.length && long > 15
}

/** Above and below the widest white band across; undefined where lines follow each other closely. */
const widestBand = (segments: readonly Segment[]): [Segment[], Segment[]] | undefined => {
  const intervals = covered(
    segments,
    ({ top }) => top,
    ({ bottom }) => bottom,
  )
  let widest = -Infinity
  let at = 0
  for (let index = 1; index < intervals.length; index++) {
    const gap = (intervals[index]?.start ?? 0) - (intervals[index - 1]?.end ?? 0)
    if (gap > widest) [widest, at] = [gap, intervals[index]?.start ?? 0]
  }
  if (intervals.length < 2) return undefined
  return [segments.filter(({ top }) => top < at), segments.filter(({ top }) => top >= at)]
}
