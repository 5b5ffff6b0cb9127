import type { Block, Cell, Inline } from '../../model/blocks.js'
import { isBlank, paragraph } from '../../model/inlines.js'

interface Column {
  /** Whether its cell belongs to the one to the left, or to the one above. */
  readonly mergesLeft: boolean
  readonly mergesUp: boolean
  /** The right edge of the cell, in twips. */
  readonly right: number
}

interface OpenCell {
  content: readonly Block[]
  columns: number
  rows: number
}

interface Row {
  readonly columns: readonly Column[]
  readonly cells: readonly Block[][]
}

const unmerged = { mergesLeft: false, mergesUp: false }

/** Collects the rows of a table. */
export class TableBuilder {
  private columns: Column[] = []
  private next = unmerged
  private cells: Block[][] = []
  private pending: Block[] = []
  private rows: Row[] = []

  define(): void {
    this.columns = []
  }

  property(word: string, value: number): void {
    if (word === 'clmrg') this.next = { ...this.next, mergesLeft: true }
    else if (word === 'clvmrg') this.next = { ...this.next, mergesUp: true }
    else if (word === 'cellx') {
      this.columns.push({ ...this.next, right: value })
      this.next = unmerged
    }
  }

  paragraph(content: readonly Inline[]): void {
    if (!isBlank(content)) this.pending.push(paragraph(content))
  }

  cell(content: readonly Inline[]): void {
    this.paragraph(content)
    this.cells.push(this.pending)
    this.pending = []
  }

  row(): void {
    this.rows.push({ columns: this.columns, cells: this.cells })
    this.cells = []
  }

  finish(): Block[] {
    if (this.cells.length) this.row()
    if (this.rows.length === 0) return []
    const rows = withSpans(this.rows)
    this.rows = []
    return [{ type: 'table', headers: 1, rows }]
  }
}

/** Merges cells as their columns say. A cell spans all columns in which cells of other rows end within it. */
const withSpans = (rows: readonly Row[]): Cell[][] => {
  const ends = columnEnds(rows)
  const above = new Map<number, OpenCell>()
  return rows.map(({ columns, cells }, index) => {
    const row: OpenCell[] = []
    let start = 0
    for (const [place, content] of cells.entries()) {
      const column = columns[place]
      const end = Math.max(start, ends[index]?.[place] ?? start) + 1
      const [left, top] = [row.at(-1), above.get(start)]
      if (column?.mergesLeft && left) left.columns += end - start
      else if (column?.mergesUp && top) top.rows += 1
      else {
        const cell = { content, columns: end - start, rows: 1 }
        row.push(cell)
        above.set(start, cell)
      }
      start = end
    }
    return row
  })
}

/** Max difference of edges, in twips, that are the same edge in different rows. */
const tolerance = 15

/** For each cell of each row, the column of the table in which it ends. */
const columnEnds = (rows: readonly Row[]): number[][] => {
  const edges: number[] = []
  const found = rows.map(({ columns }) => {
    const taken = new Set<number>()
    return columns.map(({ right }) => {
      let edge = edges.findIndex((one, index) => !taken.has(index) && Math.abs(one - right) <= tolerance)
      if (edge < 0) edge = edges.push(right) - 1
      taken.add(edge)
      return edge
    })
  })
  const order = edges.map((_, index) => index).sort((one, other) => (edges[one] ?? 0) - (edges[other] ?? 0))
  const places = new Map(order.map((edge, place) => [edge, place]))
  return found.map((row) => row.map((edge) => places.get(edge) ?? 0))
}
