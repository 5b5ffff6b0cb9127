import { readRules } from '../../files.js'

/** The roles of words in an attack, in any language. */
export const roles = [
  // In a demand to disregard or to reveal instructions:
  /** Verbs of ignoring and forgetting. */
  'ignore',
  /** Verbs of following and obeying: with a negation, the same as `ignore`. */
  'follow',
  /** Negations, which also are {@link ExemptingWords}: one list serves as both. */
  'not',
  'prior',
  /** Instructions, rules, prompts. */
  'orders',
  'your',
  'all',
  'everything',
  /** Words for what was said before, as in "everything that you were told". */
  'told',
  /** Verbs of showing and repeating, and questions for what something is. */
  'reveal',
  /** Attributes of the operator's instructions: of the system, hidden, initial. */
  'system',
  // Where a model is given a persona that knows no rules:
  /** Words that assign a persona: "you are". */
  'be',
  /** Demands to act, play and pretend. */
  'act',
  /** Names of a model: AI, assistant, DAN. */
  'model',
  /** Words such as no, without, free of. */
  'without',
  'limits',
  /** Limits of speech: censorship, filters, morals. */
  'censorship',
  /** Words such as uncensored and unrestricted, which say `without` and `limits` at once. */
  'free',
  /** Demands to answer. */
  'answer',
] as const

export type Role = (typeof roles)[number]

/** A combination of roles that makes an attack, in any order. */
export interface RolePattern<Owner> {
  readonly owner: Owner
  readonly roles: readonly Role[]
  /** The share of the reach within which they must be. */
  readonly within?: number
  /** Two roles that must be close together, without words of `otherLimits`; then all words must be in one sentence. */
  readonly together?: readonly [Role, Role]
}

/** Words that make those of an attack harmless. */
export interface ExemptingWords {
  /** Negations: before words of `ignore`, `be`, `act` or `answer`, or after those of the first three. */
  readonly not?: string
  /**
   * The speaker or another subject: before words of `ignore`, `follow`, `be`, `act` or `answer`, or after those of
   * `ignore` or `follow`.
   */
  readonly self?: string
  /**
   * Between or beside the words of `together`: the text then speaks of other limits (time, data), or of breaking
   * limits.
   */
  readonly otherLimits?: string
  /** Between a verb and the model: then the verb is about something else ("you are a member and can use the AI"). */
  readonly joins?: string
  /** Before all words: the beginning of a question. */
  readonly asks?: string
}

/**
 * The words of one language: `a|b` for either, `word*` for any word with this prefix, `two words` in a row, `^word` at
 * the beginning of a clause. Case, marks on letters and punctuation are ignored.
 */
export interface Language extends Partial<Readonly<Record<Role, string>>>, ExemptingWords {
  readonly name: string
  /**
   * Whether words are matched anywhere, as the language puts no spaces between them or attaches others; `_` is a space.
   */
  readonly anywhere?: boolean
  /** The distance in characters within which all words of an attack must be. */
  readonly reach?: number
}

let cache: readonly Language[] | undefined

/** All languages but English, whose families have phrases. */
export const languages = (): readonly Language[] => (cache ??= readRules('languages') as readonly Language[])
