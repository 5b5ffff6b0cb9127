/** Reduces texts to letters and digits, so that punctuation, spaces, hyphens and case do not matter. */

import { runPaced } from '@sallyport/kit/async'
import type { Pacer, Steps } from '@sallyport/kit/async'
import { append } from '@sallyport/kit/lists'
import { rewritten } from '@sallyport/kit/views'
import type { Edit, View } from '@sallyport/kit/views'
import { digitsAsLetters, foldText, foldWord } from '../words/folded.js'

/** A run of letters and digits, of limited length: V8 runs out of stack for a match of megabytes. */
const wordCharacters = /[\p{L}\p{M}\p{N}]{1,4096}/gu

/** How many runs are processed between two pauses. */
const pauseInterval = 1024

/** The letters of a text; digits that look like letters become those letters. */
export const lettersOf = async (text: string, pacer: Pacer): Promise<View> => {
  const folded = await foldText(text, pacer)
  const letters = await runPaced(onlyLetters(folded), pacer)
  return { text: digitsAsLetters(letters.text), sourceOf: letters.sourceOf }
}

function* onlyLetters(view: View): Steps<View> {
  const gaps: Edit[] = []
  let end = 0
  for (const { 0: part, index } of view.text.matchAll(wordCharacters)) {
    if (index > end) gaps.push({ start: end, end: index, replacement: '' })
    end = index + part.length
    if (gaps.length % pauseInterval === 0) yield
  }
  if (end < view.text.length) gaps.push({ start: end, end: view.text.length, replacement: '' })
  return rewritten(view, gaps) ?? view
}

/** The letters and digits of a short text. */
export const shortLetters = (text: string): string =>
  Array.from(foldWord(text).matchAll(wordCharacters), ([part]) => part).join('')

/** A word, or a single character of a script without spaces. */
export interface Word {
  readonly letters: string
  /** The fraction of a word: 1 for a whole word. */
  readonly weight: number
}

/** The approximate length of a word in scripts without spaces. */
const charactersPerWord: readonly (readonly [script: RegExp, number])[] = [
  [/\p{Script=Han}/u, 2],
  [/[\p{Script=Hiragana}\p{Script=Katakana}ー]/u, 2.5],
  [/[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u, 5],
]

/** The words of a folded text; digits stay digits. */
export function* wordsOf(text: string): Steps<readonly Word[]> {
  const words: Word[] = []
  let [last, parts] = [-1, 0]
  for (const { 0: part, index } of text.matchAll(wordCharacters)) {
    if ((parts += 1) % pauseInterval === 0) yield
    if (charactersPerWord.some(([script]) => script.test(part))) append(words, Array.from(part, characterOf))
    else words.push({ letters: part, weight: index === last ? 0 : 1 })
    last = index + part.length
  }
  return words
}

const characterOf = (letters: string): Word => {
  const characters = charactersPerWord.find(([script]) => script.test(letters))?.[1] ?? 5
  return { letters, weight: 1 / characters }
}

/** Shifts Latin letters by 13; applied twice, it is the identity. */
export const rot13 = (text: string): string =>
  text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 84) % 26) + 97))

export const reverse = (text: string): string => Array.from(text).reverse().join('')
