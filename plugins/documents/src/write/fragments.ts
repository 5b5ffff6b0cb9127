import type { Place } from '../model/blocks.js'
import { DocumentProblem } from '../problem.js'

/** A part of the output. All fragments in order are the contents. */
export interface Fragment {
  readonly text: string
  /** `gap`: separators between blocks. `row`: a row of a table, which is kept whole when contents are split. */
  readonly kind: 'heading' | 'text' | 'row' | 'gap'
  readonly page?: number
  /** The level of a heading, from 1, and its text without mark-up. */
  readonly heading?: { readonly level: number; readonly title: string }
}

/** Collects fragments. */
export class Fragments {
  readonly list: Fragment[] = []
  /** Length so far, in UTF-16 code units. */
  length = 0

  /** @param limit max characters of all fragments */
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
