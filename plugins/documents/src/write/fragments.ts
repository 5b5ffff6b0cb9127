import { contentsOf } from '@sallyport/core'
import type { ExtractionRequest } from '@sallyport/core'
import type { Block, Place } from '../model/blocks.js'
import { plainOf } from '../model/inlines.js'
import { DocumentProblem } from '../problem.js'
import { piecesOf } from './marks.js'
import type { Piece } from './marks.js'

/**
 * A part of the output that is kept whole where it fits when the contents are split: of a table, a row. All fragments
 * in order are the contents.
 */
export interface Fragment {
  readonly pieces: readonly Piece[]
  readonly page?: number
  /** The level of a heading, from 1, and its text without mark-up. */
  readonly heading?: { readonly level: number; readonly title: string }
}

/** Collects fragments. */
export class Fragments {
  readonly list: Fragment[] = []
  private length = 0
  private readonly unmarked: 'text' | 'markup'

  /** @param limit max UTF-16 code units of all fragments */
  constructor(
    private readonly format: ExtractionRequest['format'],
    private readonly limit: number,
  ) {
    this.unmarked = format === 'html' || format === 'json' ? 'markup' : 'text'
  }

  /**
   * @param content marked text; what is not marked is mark-up in html and json, else text
   * @param place the block that the text belongs to, or its place
   * @throws DocumentProblem where the fragments are too long together
   */
  add(content: string, place: Block | Place = {}): void {
    if (content === '') return
    const pieces = piecesOf(content, this.unmarked)
    for (const piece of pieces) this.length += contentsOf(piece, this.format).length
    if (this.length > this.limit)
      throw new DocumentProblem(
        `the contents have more than ${this.limit.toLocaleString('en')} characters: split the document`,
      )
    const { page } = place
    const heading = 'type' in place && place.type === 'heading' && { level: place.level, title: plainOf(place.content) }
    this.list.push({ pieces, ...(page === undefined ? {} : { page }), ...(heading && { heading }) })
  }
}
