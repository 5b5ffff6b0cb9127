/** Finds words whose letters are separated: `a p e x`, `A.P.E.X`, `a-p-e-x`. */

import type { Steps } from '@sallyport/kit/async'
import { originalReading, rewritten } from '@sallyport/kit/views'
import type { Edit, View } from '@sallyport/kit/views'
import { anywhere } from './boundaries.js'
import { WordIndex } from './word-index.js'
import type { Hit, TypesByWord } from './word-index.js'

/** A run of at least three single letters with the same symbol between all of them. */
const letterRun = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:([ .*·•_/|,-])[\p{L}\p{N}](?:\1[\p{L}\p{N}])+)(?![\p{L}\p{N}])/gu
/** The end of a text that may become such a run. */
const unfinishedRun = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:([ .*·•_/|,-])(?:[\p{L}\p{N}]\1)*[\p{L}\p{N}]?)?$/u
/** Shorter words are not searched, as runs contain them by chance. */
const minLength = 4
/** The maximum length of an unfinished run in UTF-16 code units. */
const maxUnfinishedLength = 512
/** How many runs are processed between two pauses. */
const pauseInterval = 256

/** An index of words without spaces, matched against runs of letters. */
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

  *find(text: string): Steps<Hit[]> {
    const runs = yield* runsIn(text)
    if (!runs) return []
    const hits = yield* this.index.find(runs.text, anywhere)
    return hits.map((hit) => ({ type: hit.type, ...runs.sourceOf(hit) }))
  }
}

/** The letters of all runs, each run on a line of its own; undefined where there are none. */
function* runsIn(text: string): Steps<View | undefined> {
  const edits: Edit[] = []
  let [end, count] = [0, 0]
  for (const { 0: written, 1: symbol, index } of text.matchAll(letterRun)) {
    if ((count += 1) % pauseInterval === 0) yield
    edits.push({ start: end, end: index, replacement: '\n' })
    for (let at = 1; at < written.length; at += 1)
      if (written[at] === symbol) edits.push({ start: index + at, end: index + at + 1, replacement: '' })
    end = index + written.length
  }
  if (count === 0) return undefined
  return rewritten(originalReading(text), [...edits, { start: end, end: text.length, replacement: '\n' }])
}

/** The start of a run that may go on after the end of the text. */
export const openRun = (text: string): number | undefined => {
  const from = Math.max(0, text.length - maxUnfinishedLength)
  const match = unfinishedRun.exec(text.slice(from))
  return match ? from + match.index : undefined
}
