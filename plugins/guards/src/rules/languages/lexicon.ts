import { foldWord } from './folded.js'
import { roles } from './language.js'
import type { Language, Role } from './language.js'

export interface RoleWord {
  /** The beginning of a word; a space at its end marks the end of the word. */
  readonly stem: string
  /** Whether it counts only at the beginning of a clause. */
  readonly opensClause: boolean
  readonly language: number
  readonly role: Role
}

/** The words of all languages, indexed by their first characters. */
export class Lexicon {
  private readonly atWords = new Map<string, RoleWord[]>()
  private readonly anywhere = new Map<string, RoleWord[]>()
  /** Latin words of languages whose other words are matched anywhere. */
  private readonly latinWords = new Map<string, RoleWord[]>()

  constructor(languages: readonly Language[]) {
    for (const [language, words] of languages.entries())
      for (const role of roles)
        for (const word of words[role]?.split('|') ?? []) {
          const opensClause = word.startsWith('^')
          for (const stem of stemsOf(opensClause ? word.slice(1) : word, words.anywhere))
            this.add({ stem, opensClause, language, role }, words.anywhere)
        }
  }

  /**
   * The words that begin at an offset of a folded text.
   * @param hasAnywhereScript whether the text has characters of a script whose words are matched anywhere
   */
  at(text: string, offset: number, hasAnywhereScript: boolean): readonly RoleWord[] {
    const unit = text.charCodeAt(offset)
    if (unit >= firstAnywhereUnit) return beginningAt(this.anywhere.get(text.charAt(offset)), text, offset)
    if (unit === space) {
      const isAnywhere = text.charCodeAt(offset + 1) >= firstAnywhereUnit
      return isAnywhere ? beginningAt(this.anywhere.get(text.slice(offset, offset + 2)), text, offset) : none
    }
    const before = text.charCodeAt(offset - 1)
    if (before !== space && before < firstAnywhereUnit) return none
    const words = beginningAt(this.atWords.get(text.slice(offset, offset + keyLength)), text, offset)
    if (!hasAnywhereScript) return words
    const foreign = beginningAt(this.latinWords.get(text.charAt(offset)), text, offset)
    return [...words, ...foreign.filter(({ stem }) => isEnd(text.charCodeAt(offset + stem.length)))]
  }

  private add(roleWord: RoleWord, anywhere = false): void {
    const { stem } = roleWord
    const isLatin = stem.charCodeAt(0) > space && stem.charCodeAt(0) < firstAnywhereUnit
    const index = anywhere ? (isLatin ? this.latinWords : this.anywhere) : this.atWords
    const key = anywhere ? stem.slice(0, stem.startsWith(' ') ? 2 : 1) : stem.slice(0, keyLength)
    index.set(key, [...(index.get(key) ?? []), roleWord])
  }
}

/** The first code unit of scripts whose words are matched anywhere. Below it, words begin after a space. */
const firstAnywhereUnit = 0x590
const space = 0x20
const keyLength = 3
const none: readonly RoleWord[] = []

/** Whether a text has characters of scripts whose words are matched anywhere. */
export const containsAnywhereScript = (text: string): boolean => /[\u0590-\uffff]/.test(text)

const isEnd = (unit: number): boolean => unit === space || unit >= firstAnywhereUnit

const beginningAt = (words: readonly RoleWord[] | undefined, text: string, offset: number): readonly RoleWord[] =>
  words?.filter(({ stem }) => text.startsWith(stem, offset)) ?? none

/** Folds words as texts are folded, with a space after those that must end there. */
export const stemsOf = (words: string | undefined, anywhere = false): string[] =>
  (words ? words.split('|') : []).map((word) => {
    const stem = word.replace(/[*_]/g, (one) => (one === '_' ? ' ' : ''))
    const plain = Array.from(stem, (one) => (one === ' ' ? ' ' : foldWord(one))).join('')
    return anywhere || word.endsWith('*') ? plain : `${plain} `
  })
