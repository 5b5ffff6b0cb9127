import { append, maxOf, minOf } from '@sallyport/kit/lists'
import type { Line } from './order.js'
import type { Segment } from './segments.js'

/** A part of a region: rows of a table, or other lines. */
type Part =
  | { readonly type: 'lines'; readonly lines: readonly Line[] }
  | { readonly type: 'table'; readonly rows: readonly (readonly Segment[][])[] }

interface Column {
  left: number
  right: number
}

const overlaps = (one: Readonly<Column>, other: Readonly<Column>) => one.left < other.right && one.right > other.left

/** Finds tables by alignment alone: consecutive rows whose cells lie below each other. */
export const withTables = (lines: readonly Line[]): Part[] => {
  const parts: Part[] = []
  let index = 0
  let plain: Line[] = []
  while (index < lines.length) {
    const table = tableAt(lines, index)
    if (table) {
      if (plain.length) parts.push({ type: 'lines', lines: plain })
      plain = []
      parts.push({ type: 'table', rows: table.rows })
      index = table.end
    } else {
      plain.push(lines[index] ?? [])
      index += 1
    }
  }
  if (plain.length) parts.push({ type: 'lines', lines: plain })
  return parts
}

const tableAt = (lines: readonly Line[], start: number) => {
  const first = lines[start] ?? []
  if (first.length < 2) return undefined
  let columns: Column[] = first.map(({ left, right }) => ({ left, right }))
  let end = start + 1
  while (end < lines.length) {
    const line = lines[end] ?? []
    if (!isNear(lines[end - 1] ?? [], line)) break
    const next = extendColumns(columns, line)
    if (!next || (line.length < 2 && !isContinuation(lines, end, next))) break
    columns = next
    end += 1
  }
  const full = lines.slice(start, end).filter((line) => line.length > 1).length
  if (full < 2 || (columns.length === 2 && full < 3) || !isAligned(lines.slice(start, end), columns)) return undefined
  return { rows: rowsOf(lines.slice(start, end), columns), end }
}

const isNear = (above: Line, below: Line): boolean => {
  const bottom = maxOf(above.map((one) => one.bottom))
  const top = minOf(below.map((one) => one.top))
  return top - bottom < 2.2 * maxOf(below.map(({ size }) => size))
}

/** Extends the columns by the cells of a line; undefined where a cell would cover two of them. */
const extendColumns = (columns: readonly Column[], line: Line): Column[] | undefined => {
  const next = columns.map((one) => ({ ...one }))
  for (const cell of line) {
    const [column, another] = next.filter((one) => overlaps(one, cell))
    if (another) return undefined
    if (column) {
      column.left = Math.min(column.left, cell.left)
      column.right = Math.max(column.right, cell.right)
    } else next.push({ left: cell.left, right: cell.right })
  }
  const sorted = next.sort((one, other) => one.left - other.left)
  return sorted.some((column, index) => index > 0 && column.left < (sorted[index - 1]?.right ?? 0)) ? undefined : sorted
}

/** Whether a line continues a cell of the row above. */
const isContinuation = (lines: readonly Line[], at: number, columns: readonly Column[]): boolean => {
  const [only] = lines[at] ?? []
  const [above, below] = [lines[at - 1] ?? [], lines[at + 1] ?? []]
  const gap = only ? only.top - maxOf(above.map(({ bottom }) => bottom)) : Infinity
  if (!only || gap >= 0.5 * only.size) return false
  return below.length > 1 && columns.length > 2 && (columns[0]?.right ?? 0) < only.left
}

/** Cells begin, end or centre at the same places in most rows; words of justified text do not. */
const isAligned = (lines: readonly Line[], columns: readonly Column[]): boolean => {
  const cells = columns.map((column) => lines.flat().filter((one) => overlaps(one, column)))
  const aligned = cells.filter((column) => {
    const tolerance = 0.8 * maxOf(column.map(({ size }) => size))
    const maxAligned = (place: (one: Segment) => number) =>
      maxOf(column.map((one) => column.filter((other) => Math.abs(place(one) - place(other)) < tolerance).length))
    const best = Math.max(
      maxAligned(({ left }) => left),
      maxAligned(({ right }) => right),
      maxAligned(({ left, right }) => (left + right) / 2),
    )
    return column.length > 1 && best >= 0.6 * column.length
  })
  return aligned.length * 2 > columns.length
}

const rowsOf = (lines: readonly Line[], columns: readonly Column[]): Segment[][][] => {
  const rows: Segment[][][] = []
  for (const line of lines) {
    const last = rows.at(-1)
    const cells = columns.map((column) => line.filter((one) => overlaps(one, column)))
    if (line.length === 1 && last) cells.forEach((cell, index) => append(last[index] ?? [], cell))
    else rows.push(cells)
  }
  return rows
}
