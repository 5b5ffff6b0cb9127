import { foldedWords } from './folded.js'
import { roles } from './language.js'
import type { Language, Role } from './language.js'

/** A word of a language and what it says. */
export interface Entry {
  /** With a blank behind it where nothing may follow. */
  readonly stem: string
  readonly language: number
  readonly role: Role
}

/** The words of all languages, by how they begin. */
export class Lexicon {
  private readonly atWords = new Map<string, Entry[]>()
  private readonly anywhere = new Map<string, Entry[]>()

  constructor(languages: readonly Language[]) {
    for (const [language, words] of languages.entries())
      for (const role of roles)
        for (const stem of stemsOf(words[role], words.anywhere)) this.add({ stem, language, role }, words.anywhere)
  }

  /** The words that begin at a place of a folded text. */
  at(text: string, place: number): readonly Entry[] {
    const byWord = text.charCodeAt(place - 1) === 0x20 ? this.atWords.get(text.slice(place, place + keyLength)) : []
    const isOther = text.charCodeAt(text.charCodeAt(place) === 0x20 ? place + 1 : place) >= firstOther
    const found = isOther ? [...(byWord ?? []), ...(this.anywhere.get(text.charAt(place)) ?? [])] : (byWord ?? [])
    return found.length > 0 ? found.filter(({ stem }) => text.startsWith(stem, place)) : found
  }

  private add(entry: Entry, anywhere = false): void {
    const [index, key] = anywhere
      ? [this.anywhere, entry.stem.charAt(0)]
      : [this.atWords, entry.stem.slice(0, keyLength)]
    index.set(key, [...(index.get(key) ?? []), entry])
  }
}

/** All words of an alphabet have a blank before them; those of other scripts begin here. */
const firstOther = 0x590
const keyLength = 3

/** Words as they stand in a folded text, with a blank behind those in which nothing may follow. */
export const stemsOf = (words: string | undefined, anywhere = false): string[] =>
  (words ? words.split('|') : []).map((word) => {
    const stem = word.replace(/[*_]/g, (one) => (one === '_' ? ' ' : ''))
    const plain = Array.from(stem, (one) => (one === ' ' ? ' ' : foldedWords(one))).join('')
    return anywhere || word.endsWith('*') ? plain : `${plain} `
  })
