/** What of the written contents is the document's, and what is the format's. Writers mark it, and pieces are cut there. */

import { randomInt } from 'node:crypto'
import type { ExtractedPart } from '@sallyport/core'

/** A piece of the contents. */
export type Piece = Pick<ExtractedPart, 'markup' | 'text' | 'attribute'>

/** Random private-use characters: no document can know a mark, and have its text taken for mark-up. */
const secret = Array.from({ length: 4 }, () => String.fromCharCode(randomInt(0xe000, 0xf900))).join('')
const begins = {
  ...{ text: `${secret}\ue001`, attribute: `${secret}\ue002`, markup: `${secret}\ue003` },
  separator: `${secret}\ue004`,
}
const end = `${secret}\ue005`
const marked = new RegExp(`(${Object.values(begins).join('|')})([^]*?)${end}`, 'g')
/** The source of a pattern of a mark, where there may be one. */
export const anyMark = `(?:${secret}[\ue001-\ue005])?`

const marking = (kind: keyof typeof begins) => (content: string) => content && begins[kind] + content + end

/** Marks what is read as part of the text. It is escaped later, where the format needs that. */
export const asText = marking('text')
/** Marks what the document says beside the text, such as the target of a link. */
export const asAttribute = marking('attribute')
/** Marks what the format writes, and the document does not say. */
export const asMarkup = marking('markup')

/**
 * Separates a block, a line or a cell from the next one, in formats that do so by mark-up; it is not written. The lines
 * of documents end with `\n`, so that no text of theirs is taken for it.
 */
export const separatorText = '\r\n'
/** It, marked. */
export const separator = begins.separator + end

/** The rest of a line end may be in the next piece. */
const withLineFeeds = (text: string): string => text.replace(/\r(?=\n|$)/g, '').replaceAll('\r', '\n')

const kinds = Object.keys(begins) as (keyof typeof begins)[]
const kindOf = (begin: string | undefined) => kinds.find((kind) => begins[kind] === begin) ?? 'text'

/**
 * The pieces of marked contents.
 * @param unmarked what is not marked
 */
export const piecesOf = (content: string, unmarked: 'text' | 'markup'): Piece[] => {
  if (!content.includes(secret))
    return [unmarked === 'text' ? { text: withLineFeeds(content) } : { markup: content, text: '' }]
  const pieces: { markup?: string; text: string; attribute?: string }[] = []
  const add = (kind: keyof typeof begins, written: string) => {
    const last = pieces.at(-1)
    const part = kind === 'separator' ? separatorText : withLineFeeds(written)
    if (part === '') return
    if (kind === 'markup') pieces.push({ markup: part, text: '' })
    else if (kind === 'attribute') {
      if (last === undefined || last.attribute !== undefined) pieces.push({ text: '', attribute: part })
      else last.attribute = part
    } else if (last === undefined || last.attribute !== undefined) pieces.push({ text: part })
    else last.text += part
  }
  let from = 0
  for (const { 0: match, 1: begin, 2: part = '', index } of content.matchAll(marked)) {
    add(unmarked, content.slice(from, index))
    add(kindOf(begin), part)
    from = index + match.length
  }
  add(unmarked, content.slice(from))
  return pieces
}
