import type { ExtractionRequest } from '@sallyport/core'
import type { DocumentTree } from '../model/blocks.js'
import { DocumentProblem } from '../problem.js'
import { writeHtml } from './html.js'
import { writeJson } from './json.js'
import { writeMarkdown } from './markdown.js'
import { Pieces } from './piece.js'
import type { Piece } from './piece.js'
import { writeText } from './text.js'

const writers = { markdown: writeMarkdown, text: writeText, html: writeHtml, json: writeJson }

/**
 * @param limit characters of the contents
 * @param fallback title of a document that has none
 * @throws DocumentProblem where the contents are too long
 */
export const write = (
  tree: DocumentTree,
  format: ExtractionRequest['format'],
  limit: number,
  fallback: string,
): readonly Piece[] => {
  const tooLong = () =>
    new DocumentProblem(`the contents have more than ${limit.toLocaleString('en')} characters: split the document`)
  const pieces = new Pieces(limit, tooLong)
  writers[format](tree, pieces, fallback)
  return pieces.list
}
