import type { Block } from '../../model/blocks.js'
import { attribute, childrenOf, isElement } from './nodes.js'
import type { Element, Node } from './nodes.js'

/** Limits of the HTML standard for spans. */
const maxColumns = 1000
const maxRows = 65_534

/** The rows of a table, without those of nested tables. */
const rowsOf = (table: Node): { row: Element; header: boolean }[] =>
  childrenOf(table).flatMap((node) => {
    if (!isElement(node)) return []
    if (node.tagName === 'tr') return [{ row: node, header: false }]
    const header = node.tagName === 'thead'
    return /^t(head|body|foot)$/.test(node.tagName) ? rowsOf(node).map(({ row }) => ({ row, header })) : []
  })

const cellsOf = (row: Element): Element[] =>
  childrenOf(row).filter((node): node is Element => isElement(node) && /^t[dh]$/.test(node.tagName))

/** Reads a table; of a layout table, the blocks in it. */
export const readTable = (table: Element, read: (cell: Element) => Block[]): Block[] => {
  const rows = rowsOf(table)
  const cells = rows.map(({ row }) => cellsOf(row))
  const contents = cells.map((row) => row.map(read))
  if (isLayout(table, contents)) return contents.flat(2)
  const isHeader = (row: readonly Element[]) => row.length > 0 && row.every(({ tagName }) => tagName === 'th')
  const firstBody = rows.findIndex(({ header }, index) => !header && (index > 0 || !isHeader(cells[0] ?? [])))
  return [
    {
      type: 'table',
      headers: firstBody < 0 ? rows.length : firstBody,
      rows: cells.map((row, index) =>
        row.map((cell, column) => ({
          content: contents[index]?.[column] ?? [],
          ...spansOf(cell, rows.length - index),
        })),
      ),
    },
  ]
}

const spansOf = (cell: Element, rowsLeft: number): { columns: number; rows: number } => {
  const span = (name: string, max: number) => {
    const value = Number.parseInt(attribute(cell, name) ?? '1', 10)
    return value >= 0 ? Math.min(value, max) : 1
  }
  return {
    columns: Math.max(1, span('colspan', maxColumns)),
    rows: Math.min(span('rowspan', maxRows) || rowsLeft, rowsLeft),
  }
}

const isLayout = (table: Element, rows: readonly (readonly Block[][])[]): boolean => {
  if (/^(presentation|none)$/.test(attribute(table, 'role') ?? '')) return true
  const isNarrow = rows.every((row) => row.length <= 1)
  if (isNarrow && (rows.length <= 1 || rows.flat(2).some(({ type }) => type !== 'paragraph'))) return true
  return rows.flat(2).some(({ type }) => type === 'table' || type === 'heading')
}
