import { maxOf } from '@sallyport/kit/lists'
import type { Vocabulary } from '@sallyport/kit/views'
import { injectionFamilies } from './family.js'
import { parsePhrase } from './phrases.js'

const steps = injectionFamilies
  .flatMap(({ phrases = [] }) => phrases)
  .flatMap((phrase) => parsePhrase(phrase, undefined).steps)
const whole = new Set(steps.flatMap(({ exact }) => [...exact]))
const begins = new Set(steps.flatMap(({ prefixes }) => prefixes))
/** What words of phrases end with that are said to begin so; anything would be a word behind one otherwise. */
const endings = new Set(['', 's', 'e', 'es', 'ed', 'd', 'al', 'er', 'ing', 'ion', 'ions', 'ive', 'ives', 'ies', 'y'])
const longestEnding = maxOf(Array.from(endings, ({ length }) => length))
/** Characters of its longest words, about. */
const longest = 16

const has = (word: string): boolean => {
  if (word.length > longest) return false
  if (whole.has(word)) return true
  for (let end = word.length; end >= Math.max(1, word.length - longestEnding); end -= 1)
    if (begins.has(word.slice(0, end)) && endings.has(word.slice(end))) return true
  return false
}

/** The words of English attacks that rules know. */
export const attackWords: Vocabulary = {
  has,
  longest,
  telling: ['ignore', 'forget', 'reveal', 'system', 'prompt', 'previous', 'disregard', 'instruction', 'instructions'],
}
