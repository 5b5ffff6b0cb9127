/** Finds words whose letters are separated: `a p e x`, `A.P.E.X`, `a-p-e-x`. */

import type { Steps } from '@sallyport/kit/async'
import { asItStands, rewritten } from '@sallyport/kit/views'
import type { Edit, View } from '@sallyport/kit/views'
import { anywhere } from './boundaries.js'
import { WordIndex } from './word-index.js'
import type { Hit, TypesByWord } from './word-index.js'

/** A row of at least three single letters with the same sign between all of them. */
const row = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:([ .*·•_/|,-])[\p{L}\p{N}](?:\1[\p{L}\p{N}])+)(?![\p{L}\p{N}])/gu
/** The end of a text that may become a row. */
const growing = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:([ .*·•_/|,-])(?:[\p{L}\p{N}]\1)*[\p{L}\p{N}]?)?$/u
/** Shorter words are not searched, as rows contain them by chance. */
const minLength = 4
/** The maximum length of an unfinished row in UTF-16 units. */
const maxGrowing = 512
/** How many rows are processed between two pauses. */
const rowsBetweenPauses = 256

/** An index of words without spaces, matched against rows of letters. */
export class SpacedWords {
  private readonly index: WordIndex

  constructor(typesByWord: TypesByWord) {
    const compact = new Map<string, readonly string[]>()
    for (const [word, types] of typesByWord) {
      const letters = word.replaceAll(' ', '')
      if (letters.length >= minLength) compact.set(letters, [...new Set([...(compact.get(letters) ?? []), ...types])])
    }
    this.index = new WordIndex(compact)
  }

  /** Finds such words in a folded text. */
  *find(text: string): Steps<Hit[]> {
    const rows = yield* rowsOf(text)
    if (!rows) return []
    const hits = yield* this.index.find(rows.text, anywhere)
    return hits.map((hit) => ({ type: hit.type, ...rows.sourceOf(hit) }))
  }
}

/** The letters of all rows, each row on a line of its own; undefined where there are none. */
function* rowsOf(text: string): Steps<View | undefined> {
  const edits: Edit[] = []
  let [end, rows] = [0, 0]
  for (const { 0: written, 1: sign, index } of text.matchAll(row)) {
    if ((rows += 1) % rowsBetweenPauses === 0) yield
    edits.push({ start: end, end: index, replacement: '\n' })
    for (let at = 1; at < written.length; at += 1)
      if (written[at] === sign) edits.push({ start: index + at, end: index + at + 1, replacement: '' })
    end = index + written.length
  }
  return rows > 0
    ? rewritten(asItStands(text), [...edits, { start: end, end: text.length, replacement: '\n' }])
    : undefined
}

/** The start of a row that may go on after the end of the text. */
export const openRow = (text: string): number | undefined => {
  const from = Math.max(0, text.length - maxGrowing)
  const match = growing.exec(text.slice(from))
  return match ? from + match.index : undefined
}
