/** The lists of a policy, made ready to be searched. */

import type { Entry, WordsOptions } from './check.js'
import { foldedWord } from './folded.js'
import { sizeOf } from './pattern-source.js'
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

/** Latin letters, and letters of another script that look like them: small Cyrillic ones, Cyrillic and Greek capitals. */
const alphabets = [
  ['acdehijopqswxy', 'асԁеһіјорԛѕԝху'],
  ['abcehijkmopstxy', 'АВСЕНІЈКМОРЅТХУ'],
  ['abehikmnoptxyz', 'ΑΒΕΗΙΚΜΝΟΡΤΧΥΖ'],
].map(([latin = '', others = '']) => {
  const letters = Array.from(others, (other, at): [string, string] => [latin.charAt(at), foldedWord(other)])
  return new Map([[' ', ' '], ...letters])
})

/** How a word or a phrase may be written: without what parts its words, or all in letters that look like Latin ones. */
const formsOf = (entry: string): readonly string[] => {
  const word = canonical(foldedWord(entry))
  const forms = [word, word.replaceAll(' ', '')]
  return [...forms, ...forms.flatMap((form) => alphabets.flatMap((alphabet) => inAlphabet(form, alphabet) ?? []))]
}

/** Undefined where a letter has none that looks like it. */
const inAlphabet = (word: string, alphabet: ReadonlyMap<string, string>): string | undefined => {
  const letters = Array.from(word, (letter) => alphabet.get(letter))
  return letters.includes(undefined) ? undefined : letters.join('')
}
