import { readRules } from '../files.js'
import type { Meaning } from './languages/language.js'

/** What findings tell of a family. Plain data. */
export interface FamilyFacts {
  /** The type of findings. */
  readonly id: string
  /** For a person: ends the sentence "the text …". */
  readonly explanation: string
  /** How likely a match is right, in 0..1: from 0.5 on it decides alone. */
  readonly score: number
}

/**
 * A kind of attack and how it is worded.
 *
 * A phrase is a row of words. `a|b` is either word, `word*` each that begins so, `<3>` up to three words that do not
 * matter, `<3-a|b>` up to three, none of which is `a` or `b`; at the end of a phrase, none of the three behind it is.
 * Case, punctuation and line ends do not count.
 */
export interface Family extends FamilyFacts {
  readonly phrases?: readonly string[]
  /** Phrases of sentences that speak of something else, in which others do not count, unless one of these stands there. */
  readonly elsewhere?: { readonly phrases: readonly string[]; readonly unless: readonly string[] }
  /** What words cannot say: regular expressions, in parts that are joined. Each has a longest match. */
  readonly patterns?: readonly { readonly source: readonly string[]; readonly flags?: string }[]
  /** What its sentences say in other languages, in any order: the verb first. */
  readonly meanings?: readonly Omit<Meaning<Family>, 'owner'>[]
  /** The id of the family that says the same in English: where that is found, this says nothing new of the place. */
  readonly translates?: string
  readonly examples: readonly string[]
  readonly counterExamples: readonly string[]
}

/** What attacks on instructions look like. */
export const injectionFamilies = readRules('injection') as readonly Family[]

/** What toxic texts say outright, by category of content. */
export const toxicityFamilies = readRules('toxicity') as readonly Family[]
