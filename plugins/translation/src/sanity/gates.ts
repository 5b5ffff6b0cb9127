/** Gates against broken translations: each is 1 where nothing is wrong, 0 where the translation is certainly broken. */

import type { Pacer } from '@sallyport/kit/async'
import { clamp } from './language.js'

/** The words in lower case; in scripts without spaces, the characters. */
export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu) ?? []

/** Characters of these scripts say as much as several letters of others. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

/** UTF-16 code units of a text that are counted before others have their turn. */
const sliceLength = 20_000

const lengthOf = async (text: string, pacer: Pacer): Promise<number> => {
  let length = 0
  for (let from = 0; from < text.length; from += sliceLength) {
    await pacer.pause()
    const slice = text.slice(from, from + sliceLength)
    length += (slice.match(/[\p{L}\p{N}]/gu)?.length ?? 0) + 1.5 * (slice.match(dense)?.length ?? 0)
  }
  return length
}

/** Added to both lengths, because the lengths of short texts differ more. */
const slack = 12

/** How similar the lengths are: 1 up to a factor of 1.6, and 0 from a factor of 4 on. */
export const lengthGate = async (source: string, translation: string, pacer: Pacer): Promise<number> => {
  if (/\p{L}/u.test(source) && !/\p{L}/u.test(translation)) return 0
  const [before, after] = [await lengthOf(source, pacer), await lengthOf(translation, pacer)]
  const ratio = Math.abs(Math.log((after + slack) / (before + slack)))
  return clamp((Math.log(4) - ratio) / (Math.log(4) - Math.log(1.6)))
}

/** The maximum length of a repeated phrase, in words. */
const maxPhrase = 12

/** The fraction of words in a phrase's second repetition or a later one. */
const repeatedFraction = (words: readonly string[]): number => {
  const repeated = new Set<number>()
  for (let size = 1; size <= maxPhrase; size++) {
    let run = 0
    for (let place = size; place < words.length; place++) {
      run = words[place] === words[place - size] ? run + 1 : 0
      if (run < 2 * size) continue
      // A first repetition occurs in ordinary texts; the second one does not.
      for (let back = run === 2 * size ? run - 1 : 0; back >= 0; back--) repeated.add(place - back)
    }
  }
  return words.length === 0 ? 0 : repeated.size / words.length
}

/** Whether a translation repeats itself more than its text does. */
export const repetitionGate = (source: string, translation: string): number => {
  const more = repeatedFraction(wordsOf(translation)) - repeatedFraction(wordsOf(source))
  return clamp(1 - (more - 0.1) / 0.3)
}

/** Shorter copies are not suspicious: names and terms are often the same in both languages. */
const minWords = 4

/**
 * Whether a translation is more than a copy of its text, by the fraction of its trigrams of words that also occur in
 * the text. Closely related languages share some of them.
 */
export const copyGate = (source: string, translation: string): number => {
  const words = wordsOf(source)
  const trigrams = trigramsOf(wordsOf(translation))
  if (words.length < minWords || trigrams.length === 0) return 1
  const known = new Set(trigramsOf(words))
  const copied = trigrams.filter((trigram) => known.has(trigram)).length / trigrams.length
  return clamp(1 - (copied - 0.4) / 0.4)
}

const trigramsOf = (words: readonly string[]): string[] =>
  words.slice(2).map((word, index) => `${words[index] ?? ''} ${words[index + 1] ?? ''} ${word}`)
