import { maxOf, minOf } from '@sallyport/kit/lists'
import type { Pacer } from '@sallyport/kit/async'
import { foldedText } from './folded.js'
import type { Folded } from './folded.js'
import type { Language, Role } from './language.js'
import { hasOther, Lexicon, stemsOf } from './lexicon.js'

/** What an attack says, in any order of its words. */
export interface Meaning<Owner> {
  readonly owner: Owner
  readonly roles: readonly Role[]
  /** Share of the usual reach in which they stand. */
  readonly within?: number
  /** Roles that stand side by side, without words of `keeps`. All of the meaning stands in one sentence, then. */
  readonly together?: readonly [Role, Role]
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

/** What makes words harmless: right before or behind a verb, beside what stands together, and before all of it. */
interface Exemptions {
  readonly not: readonly string[]
  readonly self: readonly string[]
  readonly keeps: readonly string[]
  readonly joins: readonly string[]
  readonly asks: readonly string[]
}

interface Said<Owner> extends Place {
  readonly meaning: Meaning<Owner>
  readonly places: ReadonlyMap<Role, Place>
}

/** Characters in which all words of an attack stand, where a language says nothing else. */
const usualReach = 80
/** Characters between a question and the first word, and of both. */
const reachOfQuestion = 10
const longestQuestion = 40
const clauseEnd = /[.!?:;,\n。！？；，、।؟،]/
const sentenceEnd = /[.!?](?=\s)|[\n。！？؟।]/
/** What opens a clause, but for what ended another. */
const opening = /["'«»„“”‘’「『¿¡()[\]\-–—…*]/
const clauseStart = new RegExp(`${clauseEnd.source}|${opening.source}`)
/** From the last letter of what is said to a mark that makes it a question. */
const question = /^[^.!?:;,\n。！？；，、।؟،…–—]{1,60}(?:[?？؟]|(?<=\p{Script=Greek});)/u
/** Share of the reach in which stands what stands together. */
const nearby = 0.5
/** … before and behind which words of `keeps` are looked for. */
const besides = 0.2
/** Characters behind a verb in which a comma ends no clause: "you are now, …" in languages that write it so. */
const topic = 2
/** What words beside it may make harmless. */
const verbs: ReadonlySet<Role> = new Set(['ignore', 'follow', 'be', 'act', 'answer'])
/** What a verb denies that stands before it: "do not pretend that you are". */
const depends: ReadonlySet<Role> = new Set(['be', 'act'])
/** Share of the reach behind such a verb. */
const denial = 0.3
/** Places between two pauses. */
const slice = 8192

/** Finds sentences of other languages by what their words say. */
export class Meanings<Owner> {
  private readonly lexicon: Lexicon
  private readonly exemptions: readonly Exemptions[]
  private readonly byRole = new Map<Role, Meaning<Owner>[]>()

  constructor(
    private readonly languages: readonly Language[],
    meanings: readonly Meaning<Owner>[],
  ) {
    this.lexicon = new Lexicon(languages)
    this.exemptions = languages.map(({ not, self, keeps, joins, asks, anywhere }) => ({
      not: stemsOf(not, anywhere),
      self: stemsOf(self, anywhere),
      keeps: stemsOf(keeps, anywhere).map((word) => (anywhere ? word : ` ${word}`)),
      joins: stemsOf(joins, anywhere).map((word) => (anywhere ? word : ` ${word}`)),
      asks: stemsOf(asks, anywhere),
    }))
    for (const meaning of meanings)
      for (const role of meaning.roles) this.byRole.set(role, [...(this.byRole.get(role) ?? []), meaning])
  }

  async find(text: string, pacer: Pacer): Promise<MeaningMatch<Owner>[]> {
    const folded = await foldedText(text, pacer)
    const search = new Search(text, folded)
    const mixed = hasOther(folded.text)
    const said = this.languages.map(() => ({ words: new Map<Role, Place>(), denied: 0 }))
    const found: MeaningMatch<Owner>[] = []
    // but for other scripts, words begin behind blanks
    const next = (place: number): number => (mixed ? place : folded.text.indexOf(' ', place)) + 1
    for (let place = 0, until = 0; place < folded.text.length; place = next(place)) {
      if (place >= until) {
        await pacer.pause()
        until = place + slice
      }
      for (const { stem, opens, language, role } of this.lexicon.at(folded.text, place, mixed)) {
        const exemptions = this.exemptions[language]
        const state = said[language]
        const { anywhere, reach = usualReach } = this.languages[language] ?? {}
        const hit = search.placeOf(stem, place, anywhere)
        if (!exemptions || !state || (opens && !search.isOpening(hit))) continue
        if (search.isHarmless(hit, role, exemptions)) {
          if (depends.has(role)) state.denied = hit.end + denial * reach
          continue
        }
        if (depends.has(role) && hit.start < state.denied) continue
        const { words } = state
        if (role !== 'model' || !isNamed(words, hit, reach)) words.set(role, hit)
        const match = this.matched(words, role, reach, (said) => search.isMeant(said, reach, exemptions))
        if (match) {
          const [verb] = match.meaning.roles
          if (verb) words.delete(verb)
          found.push({ owner: match.meaning.owner, ...search.inText(match) })
        }
      }
    }
    return found
  }

  private matched(
    words: ReadonlyMap<Role, Place>,
    role: Role,
    reach: number,
    isMeant: (said: Said<Owner>) => boolean,
  ): Said<Owner> | undefined {
    for (const meaning of this.byRole.get(role) ?? []) {
      const { roles, within = 1 } = meaning
      if (!roles.every((one) => words.has(one))) continue
      const places = roles.map((one) => words.get(one)).filter((one) => one !== undefined)
      const said = { meaning, places: words, ...around(places) }
      if (said.end - said.start <= within * reach && isMeant(said)) return said
    }
    return undefined
  }
}

/** Whether the model has a name already: "you are DAN, an AI". */
const isNamed = (words: ReadonlyMap<Role, Place>, { start }: Place, reach: number): boolean => {
  const verb = Math.max(words.get('be')?.start ?? 0, words.get('act')?.start ?? 0)
  const name = words.get('model')?.start ?? 0
  return verb > 0 && name >= verb && start - name <= nearby * reach
}

const around = (places: readonly Place[]): Place => ({
  start: minOf(places.map(({ start }) => start)),
  end: maxOf(places.map(({ end }) => end)),
})

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

  /** Whether a clause begins at a place. */
  isOpening({ start }: Place): boolean {
    return start <= 1 || this.isCut(start - 1, start, clauseStart)
  }

  /** Whether a verb has a word beside it that makes it harmless. */
  isHarmless({ start, end }: Place, role: Role, { not, self }: Exemptions): boolean {
    if (!verbs.has(role)) return false
    const { text } = this.folded
    if ((role === 'follow' ? self : [...not, ...self]).some((word) => this.endsBefore(word, start))) return true
    const from = text.charAt(end) === ' ' ? end + 1 : end
    const behind = { follow: self, ignore: [...not, ...self], be: not, act: not }[role as string] ?? []
    return behind.some((word) => text.startsWith(word, from)) && !this.isCut(end, from)
  }

  /** Whether words that are near one another say what a meaning is about. */
  isMeant<Owner>(said: Said<Owner>, reach: number, exemptions: Exemptions): boolean {
    const { together, roles } = said.meaning
    if (this.isAsked(said, exemptions)) return false
    if (!together) return true
    const pair = around(together.map((role) => said.places.get(role) ?? said))
    if (pair.end - pair.start > nearby * reach || this.isCut(said.start, said.end, sentenceEnd)) return false
    if (this.isKept(pair, besides * reach, exemptions) || this.isApart(said, exemptions)) return false
    return roles[0] !== 'be' || !question.test(this.lastLetterOn(said))
  }

  /** Whether a clause ends between a verb and the model, or a word joins another thing to what the verb says. */
  private isApart<Owner>({ meaning, places }: Said<Owner>, { joins }: Exemptions): boolean {
    const [verb, model] = [meaning.roles[0], 'model' as const].map((role) => role && places.get(role))
    if (!verb || !model || !meaning.roles.includes('model')) return false
    const [from, to] = verb.start < model.start ? [verb.end, model.start] : [model.end, verb.start]
    const between = this.folded.text.slice(from, to)
    return this.isCut(Math.min(to, from + topic), to) || joins.some((word) => between.includes(word))
  }

  /** Whether limits are kept, or are those of something else. */
  private isKept({ start, end }: Place, besides: number, { keeps }: Exemptions): boolean {
    const near = this.folded.text.slice(Math.max(0, start - besides), end + besides)
    return keeps.some((word) => near.includes(word))
  }

  private lastLetterOn(place: Place): string {
    const { end } = this.inText(place)
    return this.text.slice(Math.max(0, end - 1), end + longestQuestion * 2)
  }

  /** Whether a question stands before it in the same sentence. */
  private isAsked({ start }: Place, { asks }: Exemptions): boolean {
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

  private isCut(start: number, end: number, by = clauseEnd): boolean {
    const { starts } = this.folded
    return by.test(this.text.slice(starts[start] ?? 0, starts[end] ?? 0))
  }
}
