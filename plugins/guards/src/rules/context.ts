/** Tells from the surroundings of a match that it is no attack: quotation marks, and sentences about something else. */

import type { Word } from '../heads/words.js'
import { parsePhrase, PhraseIndex } from './phrases.js'

/** UTF-16 units before a quotation that are read, and the maximum distance of its end. */
const [unitsBefore, unitsBehind] = [24, 300]

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

/** Whether a span begins a quotation in a text about something else, which ends in the same sentence. */
export const isQuoted = (text: string, start: number, end: number): boolean => {
  const mark = opening.exec(text.slice(Math.max(0, start - unitsBefore), start))?.groups?.['mark']
  const [rest = ''] = mark === undefined ? [] : text.slice(end, end + unitsBehind).split(sentenceEnd, 1)
  return mark !== undefined && closing[mark]?.test(rest) === true
}

/** How many words on each side of a phrase are read. */
const maxWords = 24

/** Recognises sentences about something else by phrases, unless other phrases overrule these. */
export class OffTopicPhrases {
  private readonly index: PhraseIndex<boolean>

  constructor(phrases: readonly string[], unless: readonly string[]) {
    const parsed = (written: readonly string[], owner: boolean) => written.map((phrase) => parsePhrase(phrase, owner))
    this.index = new PhraseIndex([...parsed(phrases, true), ...parsed(unless, false)])
  }

  /** Whether the sentence around a phrase is about something else. */
  isOffTopic(text: string, words: readonly Word[], first: number, last: number): boolean {
    const cut = (at: number): boolean => sentenceEnd.test(text.slice(words[at - 1]?.end, words[at]?.start))
    let [from, to] = [first, last + 1]
    while (from > Math.max(0, first - maxWords) && !cut(from)) from -= 1
    while (to < Math.min(words.length, last + maxWords) && !cut(to)) to += 1
    const sentence = words.slice(from, to)
    const found = sentence.flatMap((_, at) => this.index.at(sentence, at))
    return found.length > 0 && found.every(({ owner }) => owner)
  }
}
