/** Tells which sentences of an answer claim nothing: questions to the user, offers, courtesies and abstentions. */

import { numberWords } from './lexicon.js'
import { introductions, questions, statements } from './claimless-phrases.js'

/** The maximum length in UTF-16 code units of sentences that claim nothing, and of introductory phrases. */
const maxLength = 200

/** Where the claim of a sentence begins, behind its introductory phrases; undefined where the sentence claims nothing. */
export const claimStart = (sentence: string): number | undefined => {
  let start = 0
  while (start < Math.min(sentence.length, maxLength)) {
    const beginning = sentence.slice(start, start + maxLength).replaceAll('’', "'")
    if (start + maxLength >= sentence.length && isClaimless(beginning)) return undefined
    const introduction = introductions.exec(beginning)?.[0].length ?? 0
    if (introduction === 0) return start
    start += introduction
  }
  return start < sentence.length ? start : undefined
}

const isClaimless = (sentence: string): boolean => {
  const content = uncontracted(sentence.replace(/^[^\p{L}\p{N}]+/u, '').replace(/[^\p{L}\p{N}?]+$/u, ''))
  const phrases = content.endsWith('?') ? [...statements, ...questions] : statements
  return phrases.some((phrase) => {
    const match = phrase.exec(content)
    return match !== null && match.slice(1).every((words) => !words || !mayClaim(words))
  })
}

const uncontracted = (sentence: string): string =>
  sentence
    .replace(/\bwon't\b/gi, 'will not')
    .replace(/\bcan(?:'t|not)\b/gi, 'can not')
    .replace(/n't\b/gi, ' not')

/** Whether free words of a phrase have a number, a name, a mark, or a word that may begin a further clause. */
const mayClaim = (words: string): boolean => {
  const embedded = words.replace(/^(?:(?:of|about|anything (?:of|about|on))\b ?)?/i, '')
  // A verb in what is asked, or behind `if`, states nothing.
  const isOpen = /^(?:who|whose|whom|which|what|when|where|how|whether|if|you|there)\b/i.test(embedded)
  const rest = embedded.replace(/^\p{L}+/u, '')
  return (
    /[^\p{L}\p{M}' /-]|\s-|-\s/u.test(words) ||
    /\p{Lu}/u.test(words.replace(/\bI\b/g, '')) ||
    connectives.test(isOpen ? rest : embedded) ||
    (!isOpen && finiteVerbs.test(embedded)) ||
    words.split(/[ /-]/).some((word) => numberWords.has(word) || largeNumbers.has(word))
  )
}

const connectives =
  /\b(?:that(?= \p{L})|because|since|as|although|though|while|whereas|until|unless|but|and|so|who|whose|whom|which|why|despite|due|thanks)\b/u
const finiteVerbs = /\b(?:is|are|was|were|has|had|will|must)\b/u
const largeNumbers: ReadonlySet<string> = new Set(
  'thirteen fourteen fifteen sixteen seventeen eighteen nineteen forty fifty sixty seventy eighty ninety half double million billion'.split(
    ' ',
  ),
)
