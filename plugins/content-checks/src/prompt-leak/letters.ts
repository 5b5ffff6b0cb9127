/** A text as its letters and digits alone: however it is punctuated, spaced, hyphenated or written in capitals. */

import { paced } from '@sallyport/kit/async'
import type { Pacer, Steps } from '@sallyport/kit/async'
import { append } from '@sallyport/kit/lists'
import { foldedText, foldedWord } from '../words/folded.js'

export interface Letters {
  readonly text: string
  /** Half-open span of the source that a span of the letters was written in. */
  readonly sourceOf: (start: number, end: number) => { start: number; end: number }
}

/** In parts: V8 runs out of stack for a match of megabytes. */
const kept = /[\p{L}\p{M}\p{N}]{1,4096}/gu
/** Digits that stand for letters are those letters, in what is looked for as well. */
const leet: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' }
/** Comes last: a cipher leaves digits as they are. */
export const asLetters = (text: string): string => text.replace(/[013457]/g, (digit) => leet[digit] ?? digit)

/** Parts between two pauses. */
const partsAtOnce = 1024

export const lettersOf = async (text: string, pacer: Pacer): Promise<Letters> => {
  const folded = await foldedText(text, pacer)
  const { letters, places } = await paced(keptOf(folded.text), pacer)
  return {
    text: letters,
    sourceOf: (start, end) => folded.sourceOf(places[start] ?? 0, (places[end - 1] ?? 0) + 1),
  }
}

function* keptOf(text: string): Steps<{ readonly letters: string; readonly places: Uint32Array }> {
  const places = new Uint32Array(text.length)
  const parts: string[] = []
  let length = 0
  for (const { 0: part, index } of text.matchAll(kept)) {
    for (let at = 0; at < part.length; at += 1) places[length + at] = index + at
    length += part.length
    parts.push(asLetters(part))
    if (parts.length % partsAtOnce === 0) yield
  }
  return { letters: parts.join(''), places }
}

/** Of a short text, digits as they are. */
export const shortLetters = (text: string): string =>
  Array.from(foldedWord(text).matchAll(kept), ([part]) => part).join('')

/** A word, or a character of a script without spaces, which is a part of one. */
export interface Word {
  readonly letters: string
  /** How much of a word it is. */
  readonly weight: number
}

/** Characters of a word, roughly, in scripts without spaces. */
const spaceless: readonly (readonly [RegExp, number])[] = [
  [/^\p{Script=Han}$/u, 2],
  [/^[\p{Script=Hiragana}\p{Script=Katakana}ー]$/u, 2.5],
  [/^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u, 5],
]
const anySpaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** The words of a folded text, whose digits stay as they are. */
export function* wordsOf(text: string): Steps<readonly Word[]> {
  const words: Word[] = []
  let [last, parts] = [-1, 0]
  for (const { 0: part, index } of text.matchAll(kept)) {
    if ((parts += 1) % partsAtOnce === 0) yield
    if (anySpaceless.test(part)) append(words, Array.from(part, characterOf))
    else words.push({ letters: part, weight: index === last ? 0 : 1 })
    last = index + part.length
  }
  return words
}

const characterOf = (letters: string): Word => ({ letters, weight: 1 / charactersPerWord(letters) })

const charactersPerWord = (character: string): number => spaceless.find(([script]) => script.test(character))?.[1] ?? 5

export const rot13 = (text: string): string =>
  text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 84) % 26) + 97))

export const reversed = (text: string): string => Array.from(text).reverse().join('')
