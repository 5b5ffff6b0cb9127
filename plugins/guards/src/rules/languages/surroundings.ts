import { maxOf, minOf } from '@sallyport/kit/lists'
import type { Span } from '@sallyport/kit/views'
import type { FoldedText } from './folded.js'
import type { ExemptingWords, Language, RolePattern, Role } from './language.js'
import { stemsOf } from './lexicon.js'

/** Words of a folded text that are near one another and have all roles of a pattern. */
export interface Candidate<Owner> extends Span {
  readonly pattern: RolePattern<Owner>
  readonly words: ReadonlyMap<Role, Span>
}

/** Words that make an attack harmless, folded. */
export type Exemptions = Readonly<Record<keyof ExemptingWords, readonly string[]>>

export const exemptionsOf = ({ not, self, otherLimits, joins, asks, anywhere }: Language): Exemptions => {
  const stems = (words: string | undefined) => stemsOf(words, anywhere)
  const within = (words: string | undefined) => stems(words).map((word) => (anywhere ? word : ` ${word}`))
  return {
    not: stems(not),
    self: stems(self),
    otherLimits: within(otherLimits),
    joins: within(joins),
    asks: stems(asks),
  }
}

/**
 * In characters: the maximum gap between a question's words and the first word of a candidate, and how far before it
 * they may begin.
 */
const [maxQuestionGap, maxQuestionLength] = [10, 40]
const clauseEnd = /[.!?:;,\n。！？；，、।؟،]/
const sentenceEnd = /[.!?](?=\s)|[\n。！？؟।]/
/** A mark that opens a clause. */
const opening = /["'«»„“”‘’「『¿¡()[\]\-–—…*]/
const clauseStart = new RegExp(`${clauseEnd.source}|${opening.source}`)
/** The text from the last letter of an attack to a question mark in the same clause, and the maximum that is read. */
const question = /^[^.!?:;,\n。！？；，、।؟،…–—]{1,60}(?:[?？؟]|(?<=\p{Script=Greek});)/u
const maxTextToMark = 80
/**
 * As shares of the reach: how far apart the roles of `together` may be, and how far beside them words of `otherLimits`
 * count.
 */
const [pairReach, besidesReach] = [0.5, 0.2]
/** The distance after a word, in characters, within which a comma does not end the clause, as in "you are now, …". */
const maxCommaGap = 2
/** The roles that neighbouring words can make harmless. */
const verbs: ReadonlySet<Role> = new Set(['ignore', 'follow', 'be', 'act', 'answer'])

export const coveringSpan = (spans: readonly Span[]): Span => ({
  start: minOf(spans.map(({ start }) => start)),
  end: maxOf(spans.map(({ end }) => end)),
})

/** Whether the model has a name already: "you are DAN, an AI". */
export const isNamed = (words: ReadonlyMap<Role, Span>, { start }: Span, reach: number): boolean => {
  const verb = Math.max(words.get('be')?.start ?? 0, words.get('act')?.start ?? 0)
  const name = words.get('model')?.start ?? 0
  return verb > 0 && name >= verb && start - name <= pairReach * reach
}

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

  /** Whether a clause begins with a word. */
  isOpening({ start }: Span): boolean {
    return start <= 1 || this.hasBoundary(start - 1, start, clauseStart)
  }

  /** Whether a neighbouring word makes a verb harmless. */
  isHarmless({ start, end }: Span, role: Role, { not, self }: Exemptions): boolean {
    if (!verbs.has(role)) return false
    const { text } = this.folded
    if ((role === 'follow' ? self : [...not, ...self]).some((word) => this.endsBefore(word, start))) return true
    const from = text.charAt(end) === ' ' ? end + 1 : end
    const after = { follow: self, ignore: [...not, ...self], be: not, act: not }[role as string] ?? []
    return after.some((word) => text.startsWith(word, from)) && !this.hasBoundary(end, from)
  }

  /** Whether a candidate is an attack, by all words around it. */
  isAttack<Owner>(candidate: Candidate<Owner>, reach: number, exemptions: Exemptions): boolean {
    const { together, roles } = candidate.pattern
    if (this.followsQuestion(candidate, exemptions)) return false
    if (!together) return true
    const pair = coveringSpan(together.map((role) => candidate.words.get(role) ?? candidate))
    if (pair.end - pair.start > pairReach * reach || this.hasBoundary(candidate.start, candidate.end, sentenceEnd))
      return false
    if (this.concernsOtherLimits(pair, besidesReach * reach, exemptions) || this.isSeparated(candidate, exemptions))
      return false
    return roles[0] !== 'be' || !question.test(this.fromLastLetter(candidate))
  }

  /**
   * Whether a clause ends between a verb and the model, or a word of `joins` is between them, so that the verb is about
   * something else.
   */
  private isSeparated<Owner>({ pattern, words }: Candidate<Owner>, { joins }: Exemptions): boolean {
    const [verb, model] = [pattern.roles[0], 'model' as const].map((role) => role && words.get(role))
    if (!verb || !model || !pattern.roles.includes('model')) return false
    const [from, to] = verb.start < model.start ? [verb.end, model.start] : [model.end, verb.start]
    const between = this.folded.text.slice(from, to)
    return this.hasBoundary(Math.min(to, from + maxCommaGap), to) || joins.some((word) => between.includes(word))
  }

  /** Whether the text speaks of other limits, or of breaking them. */
  private concernsOtherLimits({ start, end }: Span, distance: number, { otherLimits }: Exemptions): boolean {
    const near = this.folded.text.slice(Math.max(0, start - distance), end + distance)
    return otherLimits.some((word) => near.includes(word))
  }

  private fromLastLetter(span: Span): string {
    const { end } = this.sourceOf(span)
    return this.text.slice(Math.max(0, end - 1), end + maxTextToMark)
  }

  /** Whether a question precedes the candidate in the same clause. */
  private followsQuestion({ start }: Span, { asks }: Exemptions): boolean {
    const from = Math.max(0, start - maxQuestionLength)
    const before = this.folded.text.slice(from, start)
    return asks.some((word) => {
      const at = from + before.lastIndexOf(word)
      const near = at >= from && start - at - word.length <= maxQuestionGap
      return near && this.isWord(word, at) && !this.hasBoundary(at, start)
    })
  }

  private endsBefore(word: string, start: number): boolean {
    const { text } = this.folded
    const space = text.charAt(start - 1) === ' ' && !word.endsWith(' ') ? 1 : 0
    const at = start - space - word.length
    return text.startsWith(word, at) && this.isWord(word, at) && !this.hasBoundary(start - 1, start)
  }

  /** Whether the word at an offset is whole: if it ends with a space, a space must also precede it. */
  private isWord(word: string, at: number): boolean {
    return !word.endsWith(' ') || this.folded.text.charAt(at - 1) === ' '
  }

  private hasBoundary(start: number, end: number, by = clauseEnd): boolean {
    const { starts } = this.folded
    return by.test(this.text.slice(starts[start] ?? 0, starts[end] ?? 0))
  }
}
