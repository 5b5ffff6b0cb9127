/** The lists of a policy, made ready to be searched. */

import type { Entry, WordsOptions } from './check.js'
import { foldedWord } from './folded.js'
import { lookAlikesOf } from './look-alikes.js'
import { sizeOf } from './pattern-size.js'
import type { TypedPattern } from './patterns.js'
import { SpacedWords } from './spaced.js'
import { canonical, WordIndex } from './word-index.js'
import { MadeOfOptions } from '../made-of-options.js'

/** The type of what stands in a list without a name. */
const unnamed = 'WORD'

export interface WordLists {
  readonly index: WordIndex
  readonly spaced: SpacedWords
  readonly patterns: readonly TypedPattern[]
}

const known = new MadeOfOptions<WordLists>(2 ** 18)

/** Made once for the same options. */
export const listsOf = (options: WordsOptions, tenant: string): WordLists =>
  known.get(options, tenant) ?? known.set(options, tenant, made(options))

const made = ({ words = [], lists = {} }: WordsOptions): WordLists => {
  const wanted = new Map<string, readonly string[]>()
  const patterns: TypedPattern[] = []
  const add = (word: string, type: string) => {
    const types = wanted.get(word) ?? []
    if (word && !types.includes(type)) wanted.set(word, [...types, type])
  }
  for (const [type, entries] of [[unnamed, words], ...Object.entries(lists)] as [string, readonly Entry[]][])
    for (const entry of entries)
      if (typeof entry === 'string') for (const form of formsOf(entry)) add(form, type)
      else patterns.push({ type, pattern: entry.pattern, size: sizeOf(entry.pattern) })
  return { index: new WordIndex(wanted), spaced: new SpacedWords(wanted), patterns }
}

/** How a word or a phrase may be written: what parts the words of one may be left out. */
const formsOf = (entry: string): readonly string[] => {
  const word = canonical(foldedWord(entry))
  return [word, word.replaceAll(' ', '')].flatMap((form) => [form, ...lookAlikesOf(form)])
}
