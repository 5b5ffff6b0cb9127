/** Words whose letters stand apart: `a p e x`, `A.P.E.X`, `a-p-e-x`. */

import type { Steps } from '@sallyport/kit/async'
import { asItStands, rewritten } from '@sallyport/kit/views'
import type { Edit, View } from '@sallyport/kit/views'
import { anywhere } from './boundaries.js'
import { WordIndex } from './word-index.js'
import type { Hit, Wanted } from './word-index.js'

/** Letters that stand apart. A row has at least three, and the same sign between all of them. */
const row = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:([ .*·•_/|,-])[\p{L}\p{N}](?:\1[\p{L}\p{N}])+)(?![\p{L}\p{N}])/gu
/** What may become one, where it stands at the end. */
const growing = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:([ .*·•_/|,-])(?:[\p{L}\p{N}]\1)*[\p{L}\p{N}]?)?$/u
/** Letters of the shortest word that is looked for: shorter ones are made up by chance. */
const minLength = 4
/** UTF-16 units at the end of a text in which a row may go on. */
const maxGrowing = 512
/** Rows between two pauses. */
const rowsAtOnce = 256

/** Words without what parts them. */
export class SpacedWords {
  private readonly index: WordIndex

  constructor(wanted: Wanted) {
    const compact = new Map<string, readonly string[]>()
    for (const [word, types] of wanted) {
      const letters = word.replaceAll(' ', '')
      if (letters.length >= minLength) compact.set(letters, [...new Set([...(compact.get(letters) ?? []), ...types])])
    }
    this.index = new WordIndex(compact)
  }

  /** Where such words stand in a folded text. */
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
    if ((rows += 1) % rowsAtOnce === 0) yield
    edits.push({ start: end, end: index, reads: '\n' })
    for (let at = 1; at < written.length; at += 1)
      if (written[at] === sign) edits.push({ start: index + at, end: index + at + 1, reads: '' })
    end = index + written.length
  }
  return rows > 0 ? rewritten(asItStands(text), [...edits, { start: end, end: text.length, reads: '\n' }]) : undefined
}

/** Where a row begins that may go on behind the text. */
export const openRow = (text: string): number | undefined => {
  const from = Math.max(0, text.length - maxGrowing)
  const match = growing.exec(text.slice(from))
  return match ? from + match.index : undefined
}
