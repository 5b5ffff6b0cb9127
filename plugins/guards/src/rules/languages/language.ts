import { readRules } from '../../files.js'

/** The roles of words in an attack, in any language. */
export const roles = [
  // In an order to disregard or to show orders:
  /** Verbs of ignoring and forgetting. */
  'ignore',
  /** Verbs of following and obeying: with a negation, the same. */
  'follow',
  'not',
  'prior',
  /** Instructions, rules, prompts. */
  'orders',
  'your',
  'all',
  'everything',
  /** Words for what was said before; they follow `everything`. */
  'told',
  /** Verbs of showing and repeating, and questions for what something is. */
  'reveal',
  /** Attributes of the operator's instructions: of the system, hidden, initial. */
  'system',
  // Where a model is given a role that knows no rules:
  /** Words that assign a role: "you are". */
  'be',
  /** Orders to act, play and pretend. */
  'act',
  /** Names of a model: AI, assistant, DAN. */
  'model',
  /** Words such as no, without, free of. */
  'without',
  'limits',
  /** Limits of speech: censorship, filters, morals. */
  'censorship',
  /** Words such as uncensored and unrestricted, which mean both in one. */
  'free',
  /** Orders to answer. */
  'answer',
] as const

export type Role = (typeof roles)[number]

/** A combination of roles that makes an attack, in any order. */
export interface Meaning<Owner> {
  readonly owner: Owner
  readonly roles: readonly Role[]
  /** The share of the usual reach within which they stand. */
  readonly within?: number
  /** Two roles that stand close together, without words of `keeps`; then all words must stand in one sentence. */
  readonly together?: readonly [Role, Role]
}

/** Words that make those of an attack harmless. */
export interface ExemptingWords {
  readonly not?: string
  /** Beside a verb of ignoring or following, or before one of being or answering: the sentence is about its speaker, or negated. */
  readonly self?: string
  /** Between or beside the words of `together`: limits of something else (time, data), and words of breaking and telling. */
  readonly keeps?: string
  /** Between a verb and the model: then the verb is about something else ("you are a member and can use the AI"). */
  readonly joins?: string
  /** Before all words: the beginning of a question. */
  readonly asks?: string
}

/**
 * The words of one language: `a|b`, `word*` all that begin so, `two words` in a row, `^word` where a clause begins. Case,
 * marks on letters and punctuation do not count.
 */
export interface Language extends Partial<Readonly<Record<Role, string>>>, ExemptingWords {
  readonly name: string
  /** Whether words are matched anywhere, as the language puts no blanks between them or attaches others; `_` is a blank. */
  readonly anywhere?: boolean
  /** The distance in characters within which all words of an attack stand. */
  readonly reach?: number
}

let cache: readonly Language[] | undefined

/** All languages but English, whose families have phrases. */
export const languages = (): readonly Language[] => (cache ??= readRules('languages') as readonly Language[])
