import { maxOf, minOf } from '@sallyport/kit/lists'
import type { Span } from '@sallyport/kit/views'
import type { Folded } from './folded.js'
import type { ExemptingWords, Language, Meaning, Role } from './language.js'
import { stemsOf } from './lexicon.js'

/** Words of a folded text that stand near one another and have the roles of a meaning. */
export interface Candidate<Owner> extends Span {
  readonly meaning: Meaning<Owner>
  readonly words: ReadonlyMap<Role, Span>
}

/** What makes words harmless, as they stand in a folded text. */
export type Exemptions = Readonly<Record<keyof ExemptingWords, readonly string[]>>

export const exemptionsOf = ({ not, self, keeps, joins, asks, anywhere }: Language): Exemptions => {
  const stems = (words: string | undefined) => stemsOf(words, anywhere)
  const within = (words: string | undefined) => stems(words).map((word) => (anywhere ? word : ` ${word}`))
  return { not: stems(not), self: stems(self), keeps: within(keeps), joins: within(joins), asks: stems(asks) }
}

/** Characters between a question and the first word, and of both. */
const [reachOfQuestion, maxQuestion] = [10, 40]
const clauseEnd = /[.!?:;,\n。！？；，、।؟،]/
const sentenceEnd = /[.!?](?=\s)|[\n。！？؟।]/
/** What opens a clause, but for what ended another. */
const opening = /["'«»„“”‘’「『¿¡()[\]\-–—…*]/
const clauseStart = new RegExp(`${clauseEnd.source}|${opening.source}`)
/** What stands between the last letter of an attack and a mark that makes it a question. */
const question = /^[^.!?:;,\n。！？；，、।؟،…–—]{1,60}(?:[?？؟]|(?<=\p{Script=Greek});)/u
/** Share of the reach in which words stand that stand together, and in which words of `keeps` stand beside them. */
const [nearby, besides] = [0.5, 0.2]
/** Characters behind a verb in which a comma ends no clause: "you are now, …" in languages that write it so. */
const topic = 2
/** What words beside it may make harmless. */
const verbs: ReadonlySet<Role> = new Set(['ignore', 'follow', 'be', 'act', 'answer'])

/** The smallest span that has all of some. */
export const around = (spans: readonly Span[]): Span => ({
  start: minOf(spans.map(({ start }) => start)),
  end: maxOf(spans.map(({ end }) => end)),
})

/** Whether the model has a name already: "you are DAN, an AI". */
export const isNamed = (words: ReadonlyMap<Role, Span>, { start }: Span, reach: number): boolean => {
  const verb = Math.max(words.get('be')?.start ?? 0, words.get('act')?.start ?? 0)
  const name = words.get('model')?.start ?? 0
  return verb > 0 && name >= verb && start - name <= nearby * reach
}

/** Tells what stands around words of a folded text. */
export class Surroundings {
  constructor(
    private readonly text: string,
    private readonly folded: Folded,
  ) {}

  placeOf(stem: string, from: number, anywhere = false): Span {
    const start = stem.startsWith(' ') ? from + 1 : from
    const last = from + stem.trimEnd().length
    const end = anywhere ? last : this.folded.text.indexOf(' ', last)
    return { start, end: end < 0 ? this.folded.text.length : end }
  }

  inText({ start, end }: Span): Span {
    return { start: this.folded.starts[start] ?? 0, end: this.folded.starts[end] ?? this.text.length }
  }

  /** Whether a clause begins at a place. */
  isOpening({ start }: Span): boolean {
    return start <= 1 || this.isCut(start - 1, start, clauseStart)
  }

  /** Whether a verb has a word beside it that makes it harmless. */
  isHarmless({ start, end }: Span, role: Role, { not, self }: Exemptions): boolean {
    if (!verbs.has(role)) return false
    const { text } = this.folded
    if ((role === 'follow' ? self : [...not, ...self]).some((word) => this.endsBefore(word, start))) return true
    const from = text.charAt(end) === ' ' ? end + 1 : end
    const behind = { follow: self, ignore: [...not, ...self], be: not, act: not }[role as string] ?? []
    return behind.some((word) => text.startsWith(word, from)) && !this.isCut(end, from)
  }

  /** Whether words that are near one another say what a meaning is about. */
  isMeant<Owner>(candidate: Candidate<Owner>, reach: number, exemptions: Exemptions): boolean {
    const { together, roles } = candidate.meaning
    if (this.isAsked(candidate, exemptions)) return false
    if (!together) return true
    const pair = around(together.map((role) => candidate.words.get(role) ?? candidate))
    if (pair.end - pair.start > nearby * reach || this.isCut(candidate.start, candidate.end, sentenceEnd)) return false
    if (this.isKept(pair, besides * reach, exemptions) || this.isApart(candidate, exemptions)) return false
    return roles[0] !== 'be' || !question.test(this.lastLetterOn(candidate))
  }

  /** Whether a clause ends between a verb and the model, or a word joins another thing to what the verb says. */
  private isApart<Owner>({ meaning, words }: Candidate<Owner>, { joins }: Exemptions): boolean {
    const [verb, model] = [meaning.roles[0], 'model' as const].map((role) => role && words.get(role))
    if (!verb || !model || !meaning.roles.includes('model')) return false
    const [from, to] = verb.start < model.start ? [verb.end, model.start] : [model.end, verb.start]
    const between = this.folded.text.slice(from, to)
    return this.isCut(Math.min(to, from + topic), to) || joins.some((word) => between.includes(word))
  }

  /** Whether limits are kept, or are those of something else. */
  private isKept({ start, end }: Span, besides: number, { keeps }: Exemptions): boolean {
    const near = this.folded.text.slice(Math.max(0, start - besides), end + besides)
    return keeps.some((word) => near.includes(word))
  }

  private lastLetterOn(span: Span): string {
    const { end } = this.inText(span)
    return this.text.slice(Math.max(0, end - 1), end + maxQuestion * 2)
  }

  /** Whether a question stands before it in the same sentence. */
  private isAsked({ start }: Span, { asks }: Exemptions): boolean {
    const from = Math.max(0, start - maxQuestion)
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

  /** A word that ends with a blank has one before it, too. */
  private isWord(word: string, at: number): boolean {
    return !word.endsWith(' ') || this.folded.text.charAt(at - 1) === ' '
  }

  private isCut(start: number, end: number, by = clauseEnd): boolean {
    const { starts } = this.folded
    return by.test(this.text.slice(starts[start] ?? 0, starts[end] ?? 0))
  }
}
