import { maxOf } from '@sallyport/kit/lists'
import type { Vocabulary } from '@sallyport/kit/views'
import { injectionFamilies } from './family.js'
import { parsePhrase } from './phrases.js'

const steps = injectionFamilies
  .flatMap(({ phrases = [] }) => phrases)
  .flatMap((phrase) => parsePhrase(phrase, undefined).steps)
const wholeWords = new Set(steps.flatMap(({ exact }) => [...exact]))
const prefixes = new Set(steps.flatMap(({ prefixes }) => prefixes))
/** The endings that a prefix of a phrase may have here, so that not every word with that prefix counts. */
const endings = new Set(['', 's', 'e', 'es', 'ed', 'd', 'al', 'er', 'ing', 'ion', 'ions', 'ive', 'ives', 'ies', 'y'])
const maxEndingLength = maxOf(Array.from(endings, ({ length }) => length))
/** The maximum length of a word in characters; longer ones are not looked for. */
const maxLength = 16

const has = (word: string): boolean => {
  if (word.length > maxLength) return false
  if (wholeWords.has(word)) return true
  for (let end = word.length; end >= Math.max(1, word.length - maxEndingLength); end -= 1)
    if (prefixes.has(word.slice(0, end)) && endings.has(word.slice(end))) return true
  return false
}

/** The words of English attacks in the rules. */
export const attackWords: Vocabulary = {
  has,
  maxLength,
  cipherWords: [
    'ignore',
    'forget',
    'reveal',
    'system',
    'prompt',
    'previous',
    'disregard',
    'instruction',
    'instructions',
  ],
}
