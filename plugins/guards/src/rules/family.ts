import { readRules } from '../files.js'
import type { Meaning } from './languages/language.js'

/** The part of a family that findings need. Plain data. */
export interface FamilyFacts {
  /** The type of findings. */
  readonly id: string
  /** For people: it completes the sentence "the text …". */
  readonly explanation: string
  /** The probability that a match is right, from 0 to 1; from 0.5 on it decides alone. */
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
  /** Phrases of sentences about something else, in which no phrase counts, unless the sentence has one of `unless`. */
  readonly elsewhere?: { readonly phrases: readonly string[]; readonly unless: readonly string[] }
  /** Regular expressions for what phrases cannot express, in parts that are joined. Each has a maximum length. */
  readonly patterns?: readonly { readonly source: readonly string[]; readonly flags?: string }[]
  /** The roles of words in other languages, which may stand in any order; the verb is listed first. */
  readonly meanings?: readonly Omit<Meaning<Family>, 'owner'>[]
  /** The id of the family for the same attack in English. Where that one matches, matches of this one are dropped. */
  readonly translates?: string
  readonly examples: readonly string[]
  readonly counterExamples: readonly string[]
}

/** Families of attacks on instructions. */
export const injectionFamilies = readRules('injection') as readonly Family[]

/** Families of toxic phrases, by category of content. */
export const toxicityFamilies = readRules('toxicity') as readonly Family[]
