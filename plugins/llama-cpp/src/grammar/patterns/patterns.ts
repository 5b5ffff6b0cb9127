import { automatonOf } from './automaton.js'
import type { State } from './automaton.js'
import { Languages } from './language.js'
import type { Language } from './language.js'
import { languageOf, UnsupportedPattern } from './regex.js'

/** Automata of this package's own patterns, which all grammars share. */
const constants = new Map<string, readonly State[]>()

/** The regular expressions of one grammar. */
export class Patterns {
  readonly languages: Languages
  private readonly known = new Map<string, Language | undefined>()
  private readonly automata = new Map<Language, readonly State[] | undefined>()

  /** @param spend counts steps of work */
  constructor(private readonly spend: (steps: number) => void) {
    this.languages = new Languages(spend)
  }

  /** The automaton of a language; undefined where it has too many states. */
  automaton(language: Language): readonly State[] | undefined {
    if (!this.automata.has(language)) this.automata.set(language, automatonOf(language, this.languages, this.spend))
    return this.automata.get(language)
  }

  /** The language of a pattern; undefined where it has no automaton of a reasonable size. */
  language(source: string): Language | undefined {
    if (!this.known.has(source)) this.known.set(source, this.compile(source))
    return this.known.get(source)
  }

  /** The language of one of this package's own patterns. */
  constant(source: string): Language {
    const known = this.known.get(source)
    if (known) return known
    const language = languageOf(source, this.languages)
    const states = constants.get(source) ?? this.automaton(language) ?? []
    constants.set(source, states)
    this.automata.set(language, states)
    this.known.set(source, language)
    return language
  }

  matches(source: string, text: string): boolean {
    const language = this.language(source)
    return language !== undefined && this.languages.matches(language, text)
  }

  private compile(source: string): Language | undefined {
    try {
      const language = languageOf(source, this.languages)
      return this.automaton(language) && language
    } catch (error) {
      if (error instanceof UnsupportedPattern) return undefined
      throw error
    }
  }
}
