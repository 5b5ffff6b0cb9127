/** Compiles the word lists of a policy. */

import type { ListItem, WordsOptions } from './check.js'
import { foldWord } from './folded.js'
import { sizeOf } from './pattern-source.js'
import type { TypedPattern } from './patterns.js'
import { SpacedWords } from './spaced.js'
import { canonical, WordIndex } from './word-index.js'
import { OptionsCache } from '../options-cache.js'

/** The type of findings of the option `words`. */
const defaultType = 'WORD'

export interface WordLists {
  readonly index: WordIndex
  readonly spaced: SpacedWords
  readonly patterns: readonly TypedPattern[]
}

const cache = new OptionsCache<WordLists>(2 ** 18)

/** Lists are compiled once for the same options. */
export const listsOf = (options: WordsOptions, tenant: string): WordLists =>
  cache.get(options, tenant) ?? cache.set(options, tenant, compile(options))

const compile = ({ words = [], lists = {} }: WordsOptions): WordLists => {
  const typesByWord = new Map<string, readonly string[]>()
  const patterns: TypedPattern[] = []
  const add = (word: string, type: string) => {
    const types = typesByWord.get(word) ?? []
    if (word && !types.includes(type)) typesByWord.set(word, [...types, type])
  }
  for (const [type, entries] of [[defaultType, words], ...Object.entries(lists)] as [string, readonly ListItem[]][])
    for (const entry of entries)
      if (typeof entry === 'string') for (const form of formsOf(entry)) add(form, type)
      else patterns.push({ type, pattern: entry.pattern, size: sizeOf(entry.pattern) })
  return { index: new WordIndex(typesByWord), spaced: new SpacedWords(typesByWord), patterns }
}

/** Latin letters, and those of another script that look alike: small Cyrillic ones, Cyrillic and Greek capitals. */
const alphabets = [
  ['acdehijopqswxy', 'асԁеһіјорԛѕԝху'],
  ['abcehijkmopstxy', 'АВСЕНІЈКМОРЅТХУ'],
  ['abehikmnoptxyz', 'ΑΒΕΗΙΚΜΝΟΡΤΧΥΖ'],
].map(([latin = '', others = '']) => {
  const letters = Array.from(others, (other, at): [string, string] => [latin.charAt(at), foldWord(other)])
  return new Map([[' ', ' '], ...letters])
})

/** The forms of a word or phrase: also without separators, and in letters of other alphabets that look the same. */
const formsOf = (entry: string): readonly string[] => {
  const word = canonical(foldWord(entry))
  const forms = [word, word.replaceAll(' ', '')]
  return [...forms, ...forms.flatMap((form) => alphabets.flatMap((alphabet) => inAlphabet(form, alphabet) ?? []))]
}

/** Undefined where a letter has no look-alike. */
const inAlphabet = (word: string, alphabet: ReadonlyMap<string, string>): string | undefined => {
  const letters = Array.from(word, (letter) => alphabet.get(letter))
  return letters.includes(undefined) ? undefined : letters.join('')
}
