import { maxOf, minOf } from '@sallyport/kit/lists'
import type { Span } from '@sallyport/kit/views'
import type { FoldedText } from './folded.js'
import type { ExemptingWords, Language, Meaning, Role } from './language.js'
import { stemsOf } from './lexicon.js'

/** Words of a folded text that are near one another and have all roles of a meaning. */
export interface Candidate<Owner> extends Span {
  readonly meaning: Meaning<Owner>
  readonly words: ReadonlyMap<Role, Span>
}

/** Words that make an attack harmless, folded. */
export type Exemptions = Readonly<Record<keyof ExemptingWords, readonly string[]>>

export const exemptionsOf = ({ not, self, keeps, joins, asks, anywhere }: Language): Exemptions => {
  const stems = (words: string | undefined) => stemsOf(words, anywhere)
  const within = (words: string | undefined) => stems(words).map((word) => (anywhere ? word : ` ${word}`))
  return { not: stems(not), self: stems(self), keeps: within(keeps), joins: within(joins), asks: stems(asks) }
}

/** The maximum distance between a question and the first word, and of its beginning, in characters. */
const [reachOfQuestion, maxQuestion] = [10, 40]
const clauseEnd = /[.!?:;,\n。！？；，、।؟،]/
const sentenceEnd = /[.!?](?=\s)|[\n。！？؟।]/
/** A mark that opens a clause. */
const opening = /["'«»„“”‘’「『¿¡()[\]\-–—…*]/
const clauseStart = new RegExp(`${clauseEnd.source}|${opening.source}`)
/** The text from the last letter of an attack to a question mark in the same clause. */
const question = /^[^.!?:;,\n。！？；，、।؟،…–—]{1,60}(?:[?？؟]|(?<=\p{Script=Greek});)/u
/** Shares of the reach: within the first, a pair of roles stands together; within the second, words of `keeps` stand beside it. */
const [pairReach, besidesReach] = [0.5, 0.2]
/** So near after a verb, in characters, a comma does not end the clause, as in "you are now, …". */
const maxTopicGap = 2
/** The roles that neighbouring words can make harmless. */
const verbs: ReadonlySet<Role> = new Set(['ignore', 'follow', 'be', 'act', 'answer'])

/** The smallest span that covers all. */
export const around = (spans: readonly Span[]): Span => ({
  start: minOf(spans.map(({ start }) => start)),
  end: maxOf(spans.map(({ end }) => end)),
})

/** Whether the model has a name already: "you are DAN, an AI". */
export const isNamed = (words: ReadonlyMap<Role, Span>, { start }: Span, reach: number): boolean => {
  const verb = Math.max(words.get('be')?.start ?? 0, words.get('act')?.start ?? 0)
  const name = words.get('model')?.start ?? 0
  return verb > 0 && name >= verb && start - name <= pairReach * reach
}

/** Examines the surroundings of words in a folded text. */
export class Surroundings {
  constructor(
    private readonly text: string,
    private readonly folded: FoldedText,
  ) {}

  spanOf(stem: string, from: number, anywhere = false): Span {
    const start = stem.startsWith(' ') ? from + 1 : from
    const last = from + stem.trimEnd().length
    const end = anywhere ? last : this.folded.text.indexOf(' ', last)
    return { start, end: end < 0 ? this.folded.text.length : end }
  }

  sourceOf({ start, end }: Span): Span {
    return { start: this.folded.starts[start] ?? 0, end: this.folded.starts[end] ?? this.text.length }
  }

  /** Whether a clause begins at a place. */
  isOpening({ start }: Span): boolean {
    return start <= 1 || this.isCut(start - 1, start, clauseStart)
  }

  /** Whether a neighbouring word makes a verb harmless. */
  isHarmless({ start, end }: Span, role: Role, { not, self }: Exemptions): boolean {
    if (!verbs.has(role)) return false
    const { text } = this.folded
    if ((role === 'follow' ? self : [...not, ...self]).some((word) => this.endsBefore(word, start))) return true
    const from = text.charAt(end) === ' ' ? end + 1 : end
    const behind = { follow: self, ignore: [...not, ...self], be: not, act: not }[role as string] ?? []
    return behind.some((word) => text.startsWith(word, from)) && !this.isCut(end, from)
  }

  /** Whether a candidate is an attack, by all words around it. */
  isAttack<Owner>(candidate: Candidate<Owner>, reach: number, exemptions: Exemptions): boolean {
    const { together, roles } = candidate.meaning
    if (this.followsQuestion(candidate, exemptions)) return false
    if (!together) return true
    const pair = around(together.map((role) => candidate.words.get(role) ?? candidate))
    if (pair.end - pair.start > pairReach * reach || this.isCut(candidate.start, candidate.end, sentenceEnd))
      return false
    if (this.keepsLimits(pair, besidesReach * reach, exemptions) || this.isSeparated(candidate, exemptions))
      return false
    return roles[0] !== 'be' || !question.test(this.fromLastLetter(candidate))
  }

  /** Whether a clause ends between a verb and the model, or a word joins another thing to what the verb says. */
  private isSeparated<Owner>({ meaning, words }: Candidate<Owner>, { joins }: Exemptions): boolean {
    const [verb, model] = [meaning.roles[0], 'model' as const].map((role) => role && words.get(role))
    if (!verb || !model || !meaning.roles.includes('model')) return false
    const [from, to] = verb.start < model.start ? [verb.end, model.start] : [model.end, verb.start]
    const between = this.folded.text.slice(from, to)
    return this.isCut(Math.min(to, from + maxTopicGap), to) || joins.some((word) => between.includes(word))
  }

  /** Whether the text keeps limits, or speaks of limits of something else. */
  private keepsLimits({ start, end }: Span, besides: number, { keeps }: Exemptions): boolean {
    const near = this.folded.text.slice(Math.max(0, start - besides), end + besides)
    return keeps.some((word) => near.includes(word))
  }

  private fromLastLetter(span: Span): string {
    const { end } = this.sourceOf(span)
    return this.text.slice(Math.max(0, end - 1), end + maxQuestion * 2)
  }

  /** Whether a question precedes the candidate in the same clause. */
  private followsQuestion({ start }: Span, { asks }: Exemptions): boolean {
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

  /** Whether a whole word stands at a place: one that ends with a blank needs one before it, too. */
  private isWord(word: string, at: number): boolean {
    return !word.endsWith(' ') || this.folded.text.charAt(at - 1) === ' '
  }

  private isCut(start: number, end: number, by = clauseEnd): boolean {
    const { starts } = this.folded
    return by.test(this.text.slice(starts[start] ?? 0, starts[end] ?? 0))
  }
}
