import { readRules } from '../../files.js'

/** What words say in an attack, whatever the language. */
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
  /** What was said before, after `everything`. */
  'told',
  /** Verbs of showing and repeating, and questions for what something is. */
  'reveal',
  /** What makes instructions those of the operator: of the system, hidden, initial. */
  'system',
  // Where a model is given a role that knows no rules:
  /** What tells its reader what he is: "you are". In a question it asks. */
  'be',
  /** Orders to act, play and pretend. */
  'act',
  /** What a model is called: AI, assistant, DAN. */
  'model',
  /** No, without, free of, that knows no. */
  'without',
  'limits',
  /** Limits of what is said: censorship, filters, morals. */
  'censorship',
  /** Uncensored, unrestricted: both in a word. */
  'free',
  /** Orders to answer. */
  'answer',
] as const

export type Role = (typeof roles)[number]

/** What an attack says, in any order of its words. */
export interface Meaning<Owner> {
  readonly owner: Owner
  readonly roles: readonly Role[]
  /** Share of the usual reach in which they stand. */
  readonly within?: number
  /** Roles that stand side by side, without words of `keeps`. All of the meaning stands in one sentence, then. */
  readonly together?: readonly [Role, Role]
}

/** What makes words of an attack harmless. */
export interface ExemptingWords {
  readonly not?: string
  /** Beside a verb of ignoring or following, before one of being or answering: the sentence tells of its speaker, or what is not done. */
  readonly self?: string
  /** Between or beside what stands together: limits of something else (time, data), and words of breaking and telling. */
  readonly keeps?: string
  /** Between a verb and the model: what is said of the model is another thing ("you are a member and can use the AI"). */
  readonly joins?: string
  /** Before all of it: a question for what its speaker may do. */
  readonly asks?: string
}

/**
 * The words of one language: `a|b`, `word*` all that begin so, `two words` in a row, `^word` where a clause begins. Case,
 * marks on letters and punctuation do not count.
 */
export interface Language extends Partial<Readonly<Record<Role, string>>>, ExemptingWords {
  readonly name: string
  /** Words stand without blanks between them, or have others before and behind them: all are looked for anywhere; `_` is a blank. */
  readonly anywhere?: boolean
  /** Characters in which all words of an attack stand. */
  readonly reach?: number
}

let known: readonly Language[] | undefined

/** All but English, whose families have phrases. */
export const languages = (): readonly Language[] => (known ??= readRules('languages') as readonly Language[])
