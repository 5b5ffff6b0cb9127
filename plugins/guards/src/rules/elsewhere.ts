import type { Word } from '../heads/words.js'
import { parsePhrase, PhraseIndex } from './phrases.js'

/** Words before a phrase, and behind it, that are looked at. */
const reach = 24
const sentenceEnd = /[.!?](?=\s)|\n/

/** Tells sentences that speak of something else by phrases, unless others stand there, too. */
export class Elsewhere {
  private readonly index: PhraseIndex<boolean>

  constructor(phrases: readonly string[], unless: readonly string[]) {
    const parsed = (written: readonly string[], owner: boolean) => written.map((phrase) => parsePhrase(phrase, owner))
    this.index = new PhraseIndex([...parsed(phrases, true), ...parsed(unless, false)])
  }

  /** Whether the sentence speaks of something else, in which words stand. */
  isSo(text: string, words: readonly Word[], first: number, last: number): boolean {
    const cut = (at: number): boolean => sentenceEnd.test(text.slice(words[at - 1]?.end, words[at]?.start))
    let [from, to] = [first, last + 1]
    while (from > Math.max(0, first - reach) && !cut(from)) from -= 1
    while (to < Math.min(words.length, last + reach) && !cut(to)) to += 1
    const sentence = words.slice(from, to)
    const found = sentence.flatMap((_, at) => this.index.at(sentence, at))
    return found.length > 0 && found.every(({ owner }) => owner)
  }
}
