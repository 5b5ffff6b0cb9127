/** Words whose letters stand apart: `a p e x`, `A.P.E.X`, `a-p-e-x`. */

import type { Steps } from '@sallyport/kit/async'
import { anywhere } from './boundaries.js'
import { WordIndex } from './word-index.js'
import type { Hit, Wanted } from './word-index.js'

/** Letters that stand apart. A row has at least three, and the same sign between all of them. */
const row = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:([ .*·•_/|,-])[\p{L}\p{N}](?:\1[\p{L}\p{N}])+)(?![\p{L}\p{N}])/gu
/** What may become one, where it stands at the end. */
const growing = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:([ .*·•_/|,-])(?:[\p{L}\p{N}]\1)*[\p{L}\p{N}]?)?$/u
/** Letters of the shortest word that is looked for: shorter ones are made up by chance. */
const shortest = 4
/** UTF-16 units at the end of a text in which a row may go on. */
const longestGrowing = 512
/** Rows between two pauses. */
const rowsAtOnce = 256

/** Words without what parts them. */
export class SpacedWords {
  private readonly index: WordIndex

  constructor(wanted: Wanted) {
    this.index = new WordIndex(compact(wanted))
  }

  /** Where such words stand in a folded text. */
  *find(text: string): Steps<Hit[]> {
    const rows = yield* lettersOf(text)
    const hits = yield* this.index.find(rows.text, anywhere)
    return hits.map(({ type, start, end }) => ({
      type,
      start: rows.places[start] ?? 0,
      end: (rows.places[end - 1] ?? 0) + 1,
    }))
  }
}

const compact = (wanted: Wanted): Wanted => {
  const found = new Map<string, readonly string[]>()
  for (const [word, types] of wanted) {
    const letters = word.replaceAll(' ', '')
    if (letters.length >= shortest) found.set(letters, [...new Set([...(found.get(letters) ?? []), ...types])])
  }
  return found
}

/** The letters of all rows, each row on a line of its own, and where they stand. */
function* lettersOf(text: string): Steps<{ readonly text: string; readonly places: readonly number[] }> {
  const [units, places]: [string[], number[]] = [[], []]
  let rows = 0
  for (const { 0: written, 1: sign, index } of text.matchAll(row)) {
    if ((rows += 1) % rowsAtOnce === 0) yield
    for (let at = 0; at <= written.length; at += 1) {
      const unit = written[at] ?? '\n'
      if (unit === sign) continue
      units.push(unit)
      places.push(index + at)
    }
  }
  return { text: units.join(''), places }
}

/** Where a row begins that may go on behind the text. */
export const openRow = (text: string): number | undefined => {
  const from = Math.max(0, text.length - longestGrowing)
  const match = growing.exec(text.slice(from))
  return match ? from + match.index : undefined
}
