import type { Block, Cell, Inline } from '../../model/blocks.js'
import { isBlank } from '../../model/inlines.js'

interface Column {
  readonly across: boolean
  readonly down: boolean
}

interface OpenCell {
  content: readonly Block[]
  columns: number
  rows: number
}

/** Collects rows until something else follows. */
export class TableBuilder {
  private columns: Column[] = []
  private next: Column = { across: false, down: false }
  private cells: Block[][] = []
  private pending: Block[] = []
  private rows: OpenCell[][] = []
  /** The cell that stands in each column, which may reach down. */
  private above: (OpenCell | undefined)[] = []

  define(): void {
    this.columns = []
  }

  property(word: string): void {
    if (word === 'clmrg') this.next = { ...this.next, across: true }
    else if (word === 'clvmrg') this.next = { ...this.next, down: true }
    else if (word === 'cellx') {
      this.columns.push(this.next)
      this.next = { across: false, down: false }
    }
  }

  paragraph(content: readonly Inline[]): void {
    if (!isBlank(content)) this.pending.push({ type: 'paragraph', content })
  }

  cell(content: readonly Inline[]): void {
    this.paragraph(content)
    this.cells.push(this.pending)
    this.pending = []
  }

  row(): void {
    const row: OpenCell[] = []
    for (const [index, content] of this.cells.entries()) {
      const column = this.columns[index]
      const [left, top] = [row.at(-1), this.above[index]]
      if (column?.across && left) left.columns += 1
      else if (column?.down && top) top.rows += 1
      else {
        const cell = { content, columns: 1, rows: 1 }
        row.push(cell)
        this.above[index] = cell
      }
    }
    this.rows.push(row)
    this.cells = []
  }

  finish(): Block[] {
    if (this.cells.length) this.row()
    if (this.rows.length === 0) return []
    const rows: Cell[][] = this.rows
    this.rows = []
    this.above = []
    return [{ type: 'table', headers: 1, rows }]
  }
}
