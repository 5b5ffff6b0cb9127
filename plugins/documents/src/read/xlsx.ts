import xlsx from '@e965/xlsx'
import type { CellObject, Range, WorkSheet } from '@e965/xlsx'
import { zipSync } from 'fflate'
import { coreTitle } from '../container/package.js'
import type { Zip } from '../container/zip.js'
import type { ElementBudget } from '../element-budget.js'
import type { Block, Cell, DocumentTree, Inline } from '../model/blocks.js'
import { paragraph, text, textLines } from '../model/inlines.js'
import { DocumentProblem } from '../problem.js'
import type { ContainerReader } from './source.js'

/** Max cells of the result, including empty ones. */
const maxCells = 2_000_000

/** Reads each sheet with content, hidden ones too, as a heading and a table of the displayed values. */
export const readXlsx: ContainerReader = ({ elements }, zip): DocumentTree => {
  // stored again without compression, because the library does not check declared sizes when it unpacks
  const bytes = zipSync(Object.fromEntries(partsOf(zip, elements)), { level: 0 })
  const book = xlsx.read(bytes, { type: 'buffer', dense: true, cellHTML: false, cellStyles: false, cellText: true })
  const budget = { cells: maxCells }
  const blocks = book.SheetNames.flatMap((name, index): Block[] => {
    const sheet = book.Sheets[name]
    const table = sheet && tableOf(sheet, budget)
    if (!table) return []
    return [
      { type: 'heading', level: 1, content: [text(name)], page: index + 1 },
      { ...table, page: index + 1 },
    ]
  })
  const title = coreTitle(zip)
  return { ...(title !== undefined && { title }), blocks }
}

/** Min size of a cell in a binary sheet. */
const minBinaryCellBytes = 8

/** Parts that are not passed to the library, because they have no cells. */
const skippedParts =
  /(^|\/)((media|theme|printerSettings|embeddings|activeX|model|customData|customProperty|ctrlProps)\/|theme|printerSettings|vbaProject)/i

const partsOf = (zip: Zip, elements: ElementBudget): [name: string, content: Uint8Array][] =>
  zip.names.flatMap((name) => {
    if (skippedParts.test(name)) return []
    const isBinary = /\.bin$/i.test(name)
    const content = (isBinary ? zip.read(name) : zip.markup(name)) ?? new Uint8Array()
    if (isBinary) elements.add(Math.floor(content.length / minBinaryCellBytes))
    return [[name, content]]
  })

type SheetRows = readonly (readonly (CellObject | undefined)[] | undefined)[]

/** @param budget the cells that are left */
const tableOf = (sheet: WorkSheet, budget: { cells: number }): Block | undefined => {
  const rows: SheetRows = sheet['!data'] ?? []
  const merges = sheet['!merges'] ?? []
  const area = filledArea(rows)
  if (!area) return undefined
  const width = area.e.c - area.s.c + 1
  const covered = coveredBy(merges, area)
  const starts = new Map(merges.map((merge) => [`${merge.s.r}:${merge.s.c}`, merge]))
  const table: Cell[][] = []
  for (let row = area.s.r; row <= area.e.r; row++) {
    const cells = rows[row]
    if (!cells?.some(isShown) && !covered.rows.has(row)) continue
    budget.cells -= width
    if (budget.cells < 0)
      throw new DocumentProblem(`its sheets have more than ${maxCells / 1e6} million cells: split it`)
    const line: Cell[] = []
    for (let column = area.s.c; column <= area.e.c; column++) {
      const place = `${row}:${column}`
      if (!covered.cells.has(place)) line.push(cellOf(cells?.[column], starts.get(place), area))
    }
    table.push(line)
  }
  return { type: 'table', headers: 1, rows: table }
}

const isShown = (cell: CellObject | undefined): boolean => cell !== undefined && displayed(cell) !== ''

const displayed = ({ w, v, t }: CellObject): string => {
  if (t === 'z') return ''
  return (w ?? (v instanceof Date ? v.toISOString() : String(v ?? ''))).trim()
}

/** The area from the first to the last cell with content; the declared area may be the whole sheet. */
const filledArea = (rows: SheetRows): Range | undefined => {
  const area = { s: { r: Infinity, c: Infinity }, e: { r: -1, c: -1 } }
  rows.forEach((cells, row) =>
    cells?.forEach((cell, column) => {
      if (!isShown(cell)) return
      area.s = { r: Math.min(area.s.r, row), c: Math.min(area.s.c, column) }
      area.e = { r: Math.max(area.e.r, row), c: Math.max(area.e.c, column) }
    }),
  )
  return area.e.r < 0 ? undefined : area
}

const clip = ({ s, e }: Range, area: Range): Range => ({
  s: { r: Math.max(s.r, area.s.r), c: Math.max(s.c, area.s.c) },
  e: { r: Math.min(e.r, area.e.r), c: Math.min(e.c, area.e.c) },
})

/** The cells that merged cells cover, without the first of each. */
const coveredBy = (merges: readonly Range[], area: Range) => {
  const cells = new Set<string>()
  const rows = new Set<number>()
  for (const merge of merges) {
    const { s, e } = clip(merge, area)
    for (let row = s.r; row <= e.r; row++) {
      if (row > merge.s.r) rows.add(row)
      for (let column = s.c; column <= e.c; column++)
        if (row !== merge.s.r || column !== merge.s.c) cells.add(`${row}:${column}`)
      if (cells.size > maxCells) throw new DocumentProblem('its merged cells are too many: split it')
    }
  }
  return { cells, rows }
}

const cellOf = (cell: CellObject | undefined, merge: Range | undefined, area: Range): Cell => {
  const span = merge && clip(merge, area)
  return {
    content: cell && isShown(cell) ? [paragraph(contentOf(cell))] : [],
    columns: span ? span.e.c - span.s.c + 1 : 1,
    rows: span ? span.e.r - span.s.r + 1 : 1,
  }
}

const contentOf = (cell: CellObject): Inline[] => {
  const content = textLines(displayed(cell))
  const target = cell.l?.Target
  return target && /^(https?|mailto):/i.test(target) ? [{ type: 'link', url: target, content }] : content
}
