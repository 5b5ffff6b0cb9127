/** Texts to embed. */

import { randomNumbers } from '@sallyport/kit/numbers'
import { words } from '../prompts.js'

/** Token ids of a text, special ones included. */
export type Encode = (text: string) => Promise<readonly number[]>

export interface EncodedText {
  readonly text: string
  readonly ids: readonly number[]
}

/**
 * Texts of just so many tokens, special ones included, of words that are one token each.
 * @throws where the vocabulary has no such words
 */
export const textsOfLength = async (tokens: number, count: number, encode: Encode): Promise<EncodedText[]> => {
  const special = (await encode('')).length
  const lengths = await Promise.all(words.map(async (word) => (await encode(word)).length))
  const known = words.filter((_, index) => lengths[index] === special + 1)
  const random = randomNumbers(tokens)
  const texts = Array.from({ length: count }, () => wordsOf(known, random, tokens - special))
  return Promise.all(
    texts.map(async (text) => {
      const ids = await encode(text)
      if (ids.length !== tokens) throw new Error(`no text of ${tokens} tokens: "${text}" has ${ids.length}`)
      return { text, ids }
    }),
  )
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
