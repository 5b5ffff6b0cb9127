/** Examines the surroundings of matches: quoted, they count for less; in sentences about something else, not at all. */

import type { Word } from '../classifiers/words.js'
import { parsePhrase, PhraseIndex } from './phrases.js'

/** UTF-16 code units before a quotation that are read, and the maximum distance of its end. */
const [unitsBefore, unitsAfter] = [24, 300]

/** The text right before a quotation: words, and an opening mark. */
const opening = /\p{L}{2}[\p{L}\s:,]{6,22}["'`«„(]?(?<mark>["'`«„(])$/u
const sentenceEnd = /[.!?](?=\s)|\n/
const closing: Readonly<Record<string, RegExp>> = {
  '"': /"/,
  "'": /'(?!\p{L})/u,
  '`': /`/,
  '«': /»/,
  '„': /["“”]/,
  '(': /\)/,
}

/** Whether a span begins a quotation that ends in the same sentence: the text quotes it rather than says it. */
export const isQuoted = (text: string, start: number, end: number): boolean => {
  const mark = opening.exec(text.slice(Math.max(0, start - unitsBefore), start))?.groups?.['mark']
  const [rest = ''] = mark === undefined ? [] : text.slice(end, end + unitsAfter).split(sentenceEnd, 1)
  return mark !== undefined && closing[mark]?.test(rest) === true
}

/** How many words on each side of a phrase are read. */
const maxWords = 24

/** Recognises sentences about something else than an attack by phrases, unless other phrases overrule these. */
export class ExemptingPhrases {
  private readonly index: PhraseIndex<'exempting' | 'unless'>

  constructor(phrases: readonly string[], unless: readonly string[]) {
    this.index = new PhraseIndex([
      ...phrases.map((phrase) => parsePhrase(phrase, 'exempting' as const)),
      ...unless.map((phrase) => parsePhrase(phrase, 'unless' as const)),
    ])
  }

  isExempt(text: string, words: readonly Word[], first: number, last: number): boolean {
    const isBoundary = (at: number): boolean => sentenceEnd.test(text.slice(words[at - 1]?.end, words[at]?.start))
    let [from, to] = [first, last + 1]
    while (from > Math.max(0, first - maxWords) && !isBoundary(from)) from -= 1
    while (to < Math.min(words.length, last + maxWords) && !isBoundary(to)) to += 1
    const sentence = words.slice(from, to)
    const matches = sentence.flatMap((_, at) => this.index.at(sentence, at))
    return matches.length > 0 && matches.every(({ owner }) => owner === 'exempting')
  }
}
