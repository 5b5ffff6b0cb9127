import type { Place } from '../model/blocks.js'

/** A stretch of the contents. Together, in order, they are the contents. */
export interface Piece {
  readonly text: string
  /** `gap`: what stands between blocks. A `row` is what a table is cut into. */
  readonly kind: 'heading' | 'text' | 'row' | 'gap'
  readonly page?: number
  /** Of a heading: from 1, and its text without mark-up. */
  readonly heading?: { readonly level: number; readonly title: string }
}

/** Collects pieces. */
export class Pieces {
  readonly list: Piece[] = []
  /** UTF-16 units so far. */
  length = 0

  constructor(
    private readonly limit: number,
    private readonly tooLong: () => Error,
  ) {}

  add(kind: Piece['kind'], text: string, { page }: Place = {}, heading?: Piece['heading']): void {
    if (text === '') return
    this.length += text.length
    if (this.length > this.limit) throw this.tooLong()
    this.list.push({ kind, text, ...(page === undefined ? {} : { page }), ...(heading && { heading }) })
  }
}
