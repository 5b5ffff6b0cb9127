import type { Place } from '../model/blocks.js'
import { DocumentProblem } from '../problem.js'

/** A stretch of the contents. Together, in order, they are the contents. */
export interface Fragment {
  readonly text: string
  /** `gap`: what stands between blocks. A `row` is what a table is cut into. */
  readonly kind: 'heading' | 'text' | 'row' | 'gap'
  readonly page?: number
  /** The level of a heading, from 1, and its text without mark-up. */
  readonly heading?: { readonly level: number; readonly title: string }
}

/** Collects fragments. */
export class Fragments {
  readonly list: Fragment[] = []
  /** UTF-16 units so far. */
  length = 0

  /** @param limit characters of all */
  constructor(private readonly limit: number) {}

  /** @throws DocumentProblem where they are too long together */
  add(kind: Fragment['kind'], text: string, { page }: Place = {}, heading?: Fragment['heading']): void {
    if (text === '') return
    this.length += text.length
    if (this.length > this.limit)
      throw new DocumentProblem(
        `the contents have more than ${this.limit.toLocaleString('en')} characters: split the document`,
      )
    this.list.push({ kind, text, ...(page === undefined ? {} : { page }), ...(heading && { heading }) })
  }
}
