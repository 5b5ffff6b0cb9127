import type { ExtractionRequest } from '@sallyport/core'
import type { DocumentTree } from '../model/blocks.js'
import { writeHtml } from './html.js'
import { writeJson } from './json.js'
import { writeMarkdown } from './markdown.js'
import { Fragments } from './fragments.js'
import type { Fragment } from './fragments.js'
import { writeText } from './text.js'

const writers = { markdown: writeMarkdown, text: writeText, html: writeHtml, json: writeJson }

/** @param limit characters of the contents @throws DocumentProblem where they are longer */
export const write = (tree: DocumentTree, format: ExtractionRequest['format'], limit: number): readonly Fragment[] => {
  const fragments = new Fragments(format, limit)
  writers[format](tree, fragments)
  return fragments.list
}
