/** A text as its letters and digits alone: however it is punctuated, spaced, hyphenated or written in capitals. */

import { runPaced } from '@sallyport/kit/async'
import type { Pacer, Steps } from '@sallyport/kit/async'
import { append } from '@sallyport/kit/lists'
import { rewritten } from '@sallyport/kit/views'
import type { Edit, View } from '@sallyport/kit/views'
import { digitsAsLetters, foldedText, foldedWord } from '../words/folded.js'

/** Letters and digits in parts: V8 runs out of stack for a match of megabytes. */
const kept = /[\p{L}\p{M}\p{N}]{1,4096}/gu

/** Parts between two pauses. */
const partsAtOnce = 1024

/** A text in letters: digits that stand for letters are those letters, in what is looked for as well. */
export const lettersOf = async (text: string, pacer: Pacer): Promise<View> => {
  const folded = await foldedText(text, pacer)
  const letters = await runPaced(withoutOthers(folded), pacer)
  return { text: digitsAsLetters(letters.text), sourceOf: letters.sourceOf }
}

function* withoutOthers(view: View): Steps<View> {
  const gaps: Edit[] = []
  let end = 0
  for (const { 0: part, index } of view.text.matchAll(kept)) {
    if (index > end) gaps.push({ start: end, end: index, reads: '' })
    end = index + part.length
    if (gaps.length % partsAtOnce === 0) yield
  }
  if (end < view.text.length) gaps.push({ start: end, end: view.text.length, reads: '' })
  return rewritten(view, gaps) ?? view
}

/** The letters of a short text, with its digits as they are. */
export const shortLetters = (text: string): string =>
  Array.from(foldedWord(text).matchAll(kept), ([part]) => part).join('')

/** A word, or a character of a script without spaces, which is a part of one. */
export interface Word {
  readonly letters: string
  /** How much of a word it is. */
  readonly weight: number
}

/** Characters of a word, roughly, in scripts without spaces. */
const charactersPerWord: readonly (readonly [script: RegExp, number])[] = [
  [/\p{Script=Han}/u, 2],
  [/[\p{Script=Hiragana}\p{Script=Katakana}ー]/u, 2.5],
  [/[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u, 5],
]

/** The words of a folded text, whose digits stay as they are. */
export function* wordsOf(text: string): Steps<readonly Word[]> {
  const words: Word[] = []
  let [last, parts] = [-1, 0]
  for (const { 0: part, index } of text.matchAll(kept)) {
    if ((parts += 1) % partsAtOnce === 0) yield
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

/** Letters of the Latin alphabet 13 further on, which is also the way back. */
export const rot13 = (text: string): string =>
  text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 84) % 26) + 97))

export const reversed = (text: string): string => Array.from(text).reverse().join('')
