import { readRules } from '../files.js'
import type { RolePattern } from './languages/language.js'

/** The part of a family that findings need; plain data, as it comes from threads. */
export interface FamilyFacts {
  /** The type of its findings; several families may have the same. */
  readonly type: string
  /** Completes the sentence "it …" in explanations. */
  readonly explanation: string
  /** The probability that a match is right, from 0 to 1. */
  readonly score: number
  /** The type of the families for the same attack in English. Matches that overlap one of that type are dropped. */
  readonly translates?: string
}

/**
 * A kind of attack and how it is worded.
 *
 * A phrase is a sequence of words. `a|b` matches either word, `word*` any word with this prefix, `<3>` up to three
 * arbitrary words, `<3-a|b>` up to three words other than `a` and `b`. At the end of a phrase, `<3-a|b>` means that
 * neither is among the next three words. Case, punctuation and line ends are ignored.
 */
export interface Family extends FamilyFacts {
  readonly phrases?: readonly string[]
  /** In a sentence with one of these phrases, and none of `unless`, no phrase of the family counts. */
  readonly exempting?: { readonly phrases: readonly string[]; readonly unless: readonly string[] }
  /**
   * Regular expressions for what phrases cannot express. `source` is joined from its parts; each matches a bounded
   * length.
   */
  readonly patterns?: readonly { readonly source: readonly string[]; readonly flags?: string }[]
  /** The roles of words in other languages, which may be in any order; the verb is listed first. */
  readonly rolePatterns?: readonly Omit<RolePattern<Family>, 'owner'>[]
  readonly examples: readonly string[]
  readonly counterExamples: readonly string[]
}

/** Families of prompt injections. */
export const injectionFamilies = readRules('injection') as readonly Family[]

/** Families of toxic phrases, by category of content. */
export const toxicityFamilies = readRules('toxicity') as readonly Family[]
