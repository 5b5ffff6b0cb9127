/** Signs of a broken translation, each 1 where there is none and 0 where it is plain. */

import { clamp } from './language.js'

/** Words in lower case; characters of scripts that put no spaces between them. */
export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu) ?? []

/** How many characters of other scripts say as much as one of these. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

const lengthOf = (text: string): number => {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  return letters + 1.5 * (text.match(dense)?.length ?? 0)
}

/** Added to both lengths: short texts differ more. */
const slack = 12

/** Whether a translation is about as long as its text: 1 up to a factor of 1.6, and 0 from one of 4 on. */
export const lengthGate = (source: string, translation: string): number => {
  if (/\p{L}/u.test(source) && !/\p{L}/u.test(translation)) return 0
  const ratio = Math.abs(Math.log((lengthOf(translation) + slack) / (lengthOf(source) + slack)))
  return clamp((Math.log(4) - ratio) / (Math.log(4) - Math.log(1.6)))
}

/** Words of a phrase that comes again and again. */
const maxPhrase = 12

/** The share of the words that repeat the phrase before them a second time or more. */
const loopedShare = (words: readonly string[]): number => {
  const looped = new Set<number>()
  for (let size = 1; size <= maxPhrase; size++) {
    let run = 0
    for (let place = size; place < words.length; place++) {
      run = words[place] === words[place - size] ? run + 1 : 0
      if (run < 2 * size) continue
      // the second repetition is the first that nobody writes
      for (let back = run === 2 * size ? run - 1 : 0; back >= 0; back--) looped.add(place - back)
    }
  }
  return words.length === 0 ? 0 : looped.size / words.length
}

/** Whether a translation goes round in circles, as its text does not. */
export const repetitionGate = (source: string, translation: string): number => {
  const more = loopedShare(wordsOf(translation)) - loopedShare(wordsOf(source))
  return clamp(1 - (more - 0.1) / 0.3)
}

/** Words of a text that is long enough for a copy of it to mean something: names and terms are often the same. */
const minWords = 4

/**
 * Whether a translation is more than its text again: the share of three words in a row that stand in both. Languages
 * that are close have some in common.
 */
export const copyGate = (source: string, translation: string): number => {
  const [from, to] = [wordsOf(source), wordsOf(translation)]
  if (from.length < minWords) return 1
  const known = new Set(triples(from))
  const found = triples(to)
  if (found.length === 0) return 1
  const share = found.filter((triple) => known.has(triple)).length / found.length
  return clamp(1 - (share - 0.4) / 0.4)
}

const triples = (words: readonly string[]): string[] =>
  words.slice(2).map((word, index) => `${words[index] ?? ''} ${words[index + 1] ?? ''} ${word}`)
