/** Texts to embed. */

import { words } from '../prompts.js'
import { randomNumbers } from '../statistics.js'

/** Token ids of a text, special ones included. */
export type Encode = (text: string) => readonly number[]

export interface EncodedText {
  readonly text: string
  readonly ids: readonly number[]
}

/**
 * Texts of just so many tokens, special ones included, of words that are one token each.
 * @throws where the vocabulary has no such words
 */
export const textsOfLength = (tokens: number, count: number, encode: Encode): EncodedText[] => {
  const special = encode('').length
  const known = words.filter((word) => encode(word).length === special + 1)
  const random = randomNumbers(tokens)
  return Array.from({ length: count }, () => {
    const text = wordsOf(known, random, tokens - special)
    const ids = encode(text)
    if (ids.length !== tokens) throw new Error(`no text of ${tokens} tokens: "${text}" has ${ids.length}`)
    return { text, ids }
  })
}

/** Short texts of different lengths, as search queries are. */
export const queries = (count: number, seed: number): string[] => {
  const random = randomNumbers(seed)
  return Array.from({ length: count }, () => wordsOf(words, random, 1 + Math.floor(random() * longestQuery)))
}

/** Words. */
const longestQuery = 8

const wordsOf = (from: readonly string[], random: () => number, count: number): string =>
  Array.from({ length: count }, () => from[Math.floor(random() * from.length)]).join(' ')
