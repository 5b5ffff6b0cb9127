import { foldedWords } from './folded.js'
import { roles } from './language.js'
import type { Language, Role } from './language.js'

/** A word of a language and its role. */
export interface Entry {
  /** The beginning of a word; a blank at its end stands for the end of the word. */
  readonly stem: string
  /** Whether it counts only where a clause begins. */
  readonly opens: boolean
  readonly language: number
  readonly role: Role
}

/** The words of all languages, indexed by their first characters. */
export class Lexicon {
  private readonly atWords = new Map<string, Entry[]>()
  private readonly anywhere = new Map<string, Entry[]>()
  /** Latin words among those of other scripts. */
  private readonly foreign = new Map<string, Entry[]>()

  constructor(languages: readonly Language[]) {
    for (const [language, words] of languages.entries())
      for (const role of roles)
        for (const word of words[role]?.split('|') ?? []) {
          const opens = word.startsWith('^')
          for (const stem of stemsOf(opens ? word.slice(1) : word, words.anywhere))
            this.add({ stem, opens, language, role }, words.anywhere)
        }
  }

  /**
   * The words that begin at a place of a folded text.
   * @param mixed whether the text has other scripts than alphabets
   */
  at(text: string, place: number, mixed: boolean): readonly Entry[] {
    const unit = text.charCodeAt(place)
    if (unit >= firstOther) return beginning(this.anywhere.get(text.charAt(place)), text, place)
    if (unit === blank) {
      const isOther = text.charCodeAt(place + 1) >= firstOther
      return isOther ? beginning(this.anywhere.get(text.slice(place, place + 2)), text, place) : none
    }
    const before = text.charCodeAt(place - 1)
    if (before !== blank && before < firstOther) return none
    const words = beginning(this.atWords.get(text.slice(place, place + keyLength)), text, place)
    if (!mixed) return words
    const foreign = beginning(this.foreign.get(text.charAt(place)), text, place)
    return [...words, ...foreign.filter(({ stem }) => isEnd(text.charCodeAt(place + stem.length)))]
  }

  private add(entry: Entry, anywhere = false): void {
    const { stem } = entry
    const isLatin = stem.charCodeAt(0) > blank && stem.charCodeAt(0) < firstOther
    const index = anywhere ? (isLatin ? this.foreign : this.anywhere) : this.atWords
    const key = anywhere ? stem.slice(0, stem.startsWith(' ') ? 2 : 1) : stem.slice(0, keyLength)
    index.set(key, [...(index.get(key) ?? []), entry])
  }
}

/** The first code unit of scripts whose words are matched anywhere; those of alphabets begin after a blank. */
const firstOther = 0x590
const blank = 0x20
const keyLength = 3
const none: readonly Entry[] = []

/** Whether a text has characters of scripts whose words are matched anywhere. */
export const hasOther = (text: string): boolean => /[\u0590-\uffff]/.test(text)

const isEnd = (unit: number): boolean => unit === blank || unit >= firstOther

const beginning = (entries: readonly Entry[] | undefined, text: string, place: number): readonly Entry[] =>
  entries?.filter(({ stem }) => text.startsWith(stem, place)) ?? none

/** Folds words as texts are folded, with a blank after those that must end there. */
export const stemsOf = (words: string | undefined, anywhere = false): string[] =>
  (words ? words.split('|') : []).map((word) => {
    const stem = word.replace(/[*_]/g, (one) => (one === '_' ? ' ' : ''))
    const plain = Array.from(stem, (one) => (one === ' ' ? ' ' : foldedWords(one))).join('')
    return anywhere || word.endsWith('*') ? plain : `${plain} `
  })
