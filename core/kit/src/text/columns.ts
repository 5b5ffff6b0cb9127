import { stripVTControlCharacters } from 'node:util'
import { maxOf } from '../lists/extremes.js'

const gap = '  '
const width = (cell: string) => stripVTControlCharacters(cell).length

/** Lines of a table whose columns are as wide as their widest cell. Cells may be coloured. */
export const alignColumns = (
  rows: readonly (readonly string[])[],
  { right = [] }: { readonly right?: readonly number[] } = {},
): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => maxOf(rows.map((row) => width(row[column] ?? ''))))
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const padding = ' '.repeat((widths[column] ?? 0) - width(cell))
        return right.includes(column) ? padding + cell : cell + padding
      })
      .join(gap)
      .trimEnd(),
  )
}
