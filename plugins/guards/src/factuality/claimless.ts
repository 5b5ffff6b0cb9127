/** Tells which sentences of an answer claim nothing: questions to the user, offers, courtesies and abstentions. */

import { comparedWords, uncontracted } from './compared-words.js'
import type { Sentence } from './compared-words.js'
import { numberWords } from './lexicon.js'
import { introductions, plainWords, questions, statements } from './claimless-phrases.js'
import { braille } from './reading.js'

/** The maximum length in UTF-16 code units of sentences that claim nothing, and of introductory phrases. */
const maxLength = 200

/** Tells which stems a reference has. */
interface Known {
  has(stem: string): boolean
}

/** Where the claim of a sentence begins, behind its introductory phrases; undefined where the sentence claims nothing. */
const claimStart = (sentence: string, known: Known): number | undefined => {
  if (braille.test(sentence)) return 0
  let start = 0
  while (start < Math.min(sentence.length, maxLength)) {
    const beginning = sentence.slice(start, start + maxLength).replaceAll('’', "'")
    if (start + maxLength >= sentence.length && isClaimless(beginning, known)) return undefined
    const introduction = introductions.exec(beginning)?.[0].length ?? 0
    if (introduction === 0) return start
    start += introduction
  }
  return start < sentence.length ? start : undefined
}

const isClaimless = (sentence: string, known: Known): boolean => {
  const content = uncontracted(sentence.replace(/^[^\p{L}\p{N}]+/u, '').replace(/[^\p{L}\p{N}?]+$/u, ''))
  const phrases = content.endsWith('?') ? [...statements, ...questions] : statements
  return phrases.some((phrase) => {
    const match = phrase.exec(content)
    return match !== null && !mayClaim(match.slice(1).filter(Boolean).join(' '), abstention.test(content), known)
  })
}

/** Who says what a text does not mention names it, in up to two words that the reference lacks. */
const abstention = /\b(?:not?|nothing|unable|lack|unclear)\b/iu

/** Whether the free words of a phrase may claim something that the reference does not have, or join a further clause. */
const mayClaim = (words: string, isAbstention: boolean, known: Known): boolean => {
  if (/[^\p{L}\p{M}' /-]|\s-|-\s/u.test(words) || connectives.test(words) || statement.test(words)) return true
  const said = comparedWords(words).filter(({ word, isContent }) => isContent && !plainWords.has(word))
  const other = said.filter(({ stem }) => !known.has(stem))
  if (presupposing.test(words) || other.some(({ word }) => numberWords.has(word))) return other.length > 0
  return other.length > (isAbstention ? 2 : Number(said.length === 1))
}

const connectives =
  /\b(?:that(?= \p{L})|because|since|as|although|though|while|whereas|until|unless|but|and|so|despite|due|thanks)\b/u
/** A verb in what is asked, or behind `if`, states nothing. */
const statement =
  /^(?!(?:(?:of|about|anything (?:of|about|on)) )?(?:who|whose|whom|which|what|when|where|how|whether|if|you|there)\b).*\b(?:is|are|was|were|has|had|will|must)\b/iu
/** What stands behind these words is taken for granted. */
const presupposing = /\b(?:who|whose|whom|which|what|when|where|why|how(?! to))\b/iu

/** The maximum length of a claim in UTF-16 code units; longer sentences are compared in parts. */
const maxClaimLength = 2_000

/** What a sentence claims, without introductory phrases; in parts, if it is long. */
export const claimsOf = ({ text, start }: Sentence, known: Known): Sentence[] => {
  const begin = claimStart(text, known)
  if (begin === undefined) return []
  return Array.from({ length: Math.ceil((text.length - begin) / maxClaimLength) }, (_, part) => {
    const from = begin + part * maxClaimLength
    const to = Math.min(text.length, from + maxClaimLength)
    return { text: text.slice(from, to), start: start + from, end: start + to }
  })
}
