/** Instructions in all forms in which an answer may repeat them, made ready to be searched for. */

import { RecentlyUsed } from '@sallyport/kit/lists'
import { asLetters, reversed, rot13, shortLetters, wordsOf } from './letters.js'
import type { Word } from './letters.js'

/** Letters by which a repetition is found. Each repetition of twice as many has one that begins at a multiple. */
export const seedLength = 12
/** Places of the same seed that are tried. */
const mostPlaces = 16
/** Stands between forms, and for what answers may repeat: no text has it among its letters. */
const barrier: Word = { letters: '\n', weight: 0 }

export interface Instructions {
  /** The letters of all forms. */
  readonly text: string
  readonly seeds: ReadonlyMap<string, readonly number[]>
  /** How many words lie completely between two places of the text. */
  readonly wordsBetween: (start: number, end: number) => number
}

const known = new RecentlyUsed<Instructions>(2 ** 20, (_, key) => key.length)

/** @param allowed what of them answers may repeat */
export const instructionsOf = (reference: string, allowed: readonly string[]): Instructions =>
  known.getOrMake(JSON.stringify([reference, allowed]), () => made(withBarriers(wordsOf(reference), allowed)))

const made = (words: readonly Word[]): Instructions => {
  const backwards = words.toReversed()
  const turned = backwards.map((word) => ({ ...word, letters: reversed(word.letters) }))
  const forms = [words, ciphered(words), turned, ciphered(turned), backwards]
  const all = forms.flatMap((form) => [...form, barrier])
  const text = asLetters(all.map(({ letters }) => letters).join(''))
  return { text, seeds: seedsOf(text), wordsBetween: wordCounter(all, text.length) }
}

const ciphered = (words: readonly Word[]): readonly Word[] =>
  words.map((word) => ({ ...word, letters: rot13(word.letters) }))

/** Whole words that are part of what answers may repeat become a barrier. */
const withBarriers = (words: readonly Word[], allowed: readonly string[]): readonly Word[] => {
  const text = words.map(({ letters }) => letters).join('')
  const spans = allowed.flatMap((each) => occurrences(text, shortLetters(each)))
  let length = 0
  return words.map((word) => {
    const [start, end] = [length, (length += word.letters.length)]
    return spans.some((span) => span.start <= start && end <= span.end) ? barrier : word
  })
}

/** Where a text has another one. */
export const occurrences = (text: string, part: string): { readonly start: number; readonly end: number }[] => {
  const found: { readonly start: number; readonly end: number }[] = []
  if (part === '') return found
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length))
    found.push({ start: at, end: at + part.length })
  return found
}

const seedsOf = (text: string): ReadonlyMap<string, readonly number[]> => {
  const seeds = new Map<string, number[]>()
  for (let at = 0; at + seedLength <= text.length; at += seedLength) {
    const seed = text.slice(at, at + seedLength)
    const places = seeds.get(seed)
    if (!places) seeds.set(seed, [at])
    else if (places.length < mostPlaces) places.push(at)
  }
  return seeds
}

/** Words that begin before a place, and those that have ended there, both by their weights. */
const wordCounter = (words: readonly Word[], length: number): Instructions['wordsBetween'] => {
  const [begun, ended] = [new Float64Array(length + 1), new Float64Array(length + 1)]
  let [at, sum] = [0, 0]
  for (const { letters, weight } of words) {
    const end = at + letters.length
    begun.fill(sum + weight, at + 1, end + 1)
    ended.fill(sum, at + 1, end)
    sum += weight
    ended[end] = sum
    at = end
  }
  return (start, end) => Math.max(0, (ended[end] ?? 0) - (begun[start] ?? 0))
}
