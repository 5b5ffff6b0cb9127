import type { Pacer } from '@sallyport/core'
import { foldedText } from './folded.js'
import type { Folded } from './folded.js'
import type { Language, Role } from './language.js'
import { Lexicon, stemsOf } from './lexicon.js'

/** What an attack says, in any order of its words. */
export interface Meaning<Owner> {
  readonly owner: Owner
  readonly roles: readonly Role[]
  /** Share of the usual reach in which they stand. */
  readonly within?: number
}

/** In UTF-16 units of the text that was looked at. */
export interface MeaningMatch<Owner> {
  readonly owner: Owner
  readonly start: number
  readonly end: number
}

interface Place {
  readonly start: number
  readonly end: number
}

/** Words that make a verb harmless, right before or behind it, and questions before all of it. */
interface Exemptions {
  readonly not: readonly string[]
  readonly self: readonly string[]
  readonly asks: readonly string[]
}

/** Characters in which all words of an attack stand, where a language says nothing else. */
const usualReach = 80
/** Characters between a question and the first word, and of both. */
const reachOfQuestion = 10
const longestQuestion = 40
const sentenceEnd = /[.!?:;,\n。！？；，、।؟،]/
/** Places between two pauses. */
const slice = 8192

/** Finds sentences of other languages by what their words say. */
export class Meanings<Owner> {
  private readonly lexicon: Lexicon
  private readonly exemptions: readonly Exemptions[]

  constructor(
    private readonly languages: readonly Language[],
    private readonly meanings: readonly Meaning<Owner>[],
  ) {
    this.lexicon = new Lexicon(languages)
    this.exemptions = languages.map(({ not, self, asks, anywhere }) => ({
      not: stemsOf(not, anywhere),
      self: stemsOf(self, anywhere),
      asks: stemsOf(asks, anywhere),
    }))
  }

  async find(text: string, pacer: Pacer): Promise<MeaningMatch<Owner>[]> {
    const folded = await foldedText(text, pacer)
    const search = new Search(text, folded)
    const said = this.languages.map(() => new Map<Role, Place>())
    const found: MeaningMatch<Owner>[] = []
    for (let place = 0; place < folded.text.length; place += 1) {
      if (place % slice === 0) await pacer.pause()
      for (const { stem, language, role } of this.lexicon.at(folded.text, place)) {
        const exemptions = this.exemptions[language]
        const words = said[language]
        const { anywhere, reach = usualReach } = this.languages[language] ?? {}
        const hit = search.placeOf(stem, place, anywhere)
        if (!exemptions || !words || search.isHarmless(hit, role, exemptions)) continue
        words.set(role, hit)
        const match = this.matched(words, role, reach)
        if (match && !search.isAsked(match, exemptions)) {
          words.delete(match.verb)
          found.push({ owner: match.owner, ...search.inText(match) })
        }
      }
    }
    return found
  }

  private matched(words: ReadonlyMap<Role, Place>, role: Role, reach: number) {
    for (const { owner, roles, within = 1 } of this.meanings) {
      const [verb] = roles
      if (!verb || !roles.includes(role)) continue
      const places = roles.map((one) => words.get(one)).filter((one) => one !== undefined)
      const start = Math.min(...places.map((one) => one.start))
      const end = Math.max(...places.map((one) => one.end))
      if (places.length === roles.length && end - start <= within * reach) return { owner, verb, start, end }
    }
    return undefined
  }
}

/** What stands around words of a folded text. */
class Search {
  constructor(
    private readonly text: string,
    private readonly folded: Folded,
  ) {}

  placeOf(stem: string, from: number, anywhere = false): Place {
    const start = stem.startsWith(' ') ? from + 1 : from
    const last = from + stem.trimEnd().length
    const end = anywhere ? last : this.folded.text.indexOf(' ', last)
    return { start, end: end < 0 ? this.folded.text.length : end }
  }

  inText({ start, end }: Place): Place {
    return { start: this.folded.starts[start] ?? 0, end: this.folded.starts[end] ?? this.text.length }
  }

  /** Whether a verb has a word beside it that makes it harmless. */
  isHarmless({ start, end }: Place, role: Role, { not, self }: Exemptions): boolean {
    if (role !== 'ignore' && role !== 'follow') return false
    const { text } = this.folded
    const words = role === 'ignore' ? [...not, ...self] : self
    const from = text.charAt(end) === ' ' ? end + 1 : end
    const before = words.some((word) => this.endsBefore(word, start))
    return before || (words.some((word) => text.startsWith(word, from)) && !this.isCut(end, from))
  }

  /** Whether a question stands before it in the same sentence. */
  isAsked({ start }: Place, { asks }: Exemptions): boolean {
    const from = Math.max(0, start - longestQuestion)
    const before = this.folded.text.slice(from, start)
    return asks.some((word) => {
      const at = from + before.lastIndexOf(word)
      const near = at >= from && start - at - word.length <= reachOfQuestion
      return near && this.isWord(word, at) && !this.isCut(at, start)
    })
  }

  private endsBefore(word: string, start: number): boolean {
    const { text } = this.folded
    const blank = text.charAt(start - 1) === ' ' && !word.endsWith(' ') ? 1 : 0
    const at = start - blank - word.length
    return text.startsWith(word, at) && this.isWord(word, at) && !this.isCut(start - 1, start)
  }

  /** What ends with a blank begins behind one. */
  private isWord(word: string, at: number): boolean {
    return !word.endsWith(' ') || this.folded.text.charAt(at - 1) === ' '
  }

  private isCut(start: number, end: number): boolean {
    const { starts } = this.folded
    return sentenceEnd.test(this.text.slice(starts[start] ?? 0, starts[end] ?? 0))
  }
}
