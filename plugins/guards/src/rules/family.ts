import type { Meaning } from './languages/matcher.js'

/**
 * A kind of attack and how it is worded.
 *
 * A phrase is a row of words. `a|b` is either word, `word*` each that begins so, `<3>` up to three words that do not
 * matter, `<3-a|b>` up to three, none of which is `a` or `b`; at the end of a phrase, none of the three behind it is.
 * Case, punctuation and line ends do not count.
 */
export interface Family {
  /** What findings are called. */
  readonly id: string
  /** For a person: ends the sentence "the text …". */
  readonly explanation: string
  /** How sure it is by itself, in 0..1: from 0.5 on it decides alone. */
  readonly score: number
  readonly phrases: readonly string[]
  /** Phrases of sentences that speak of something else, in which others do not count, unless one of these stands there. */
  readonly elsewhere?: { readonly phrases: readonly string[]; readonly unless: readonly string[] }
  /** What words cannot say: each has a longest match. */
  readonly patterns?: readonly RegExp[]
  /** What its sentences say in other languages, in any order: the verb first. */
  readonly meanings?: readonly Omit<Meaning<Family>, 'owner'>[]
  /** The family whose phrases say the same in English: where one is found, this says nothing new of the place. */
  readonly translates?: Family
  readonly examples: readonly string[]
  readonly counterExamples: readonly string[]
}
