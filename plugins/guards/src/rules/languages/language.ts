/** What words say in an attack, whatever the language. */
export const roles = [
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
] as const

export type Role = (typeof roles)[number]

/**
 * The words of one language: `a|b`, `word*` all that begin so, `two words` in a row. Case, marks on letters and
 * punctuation do not count.
 */
export interface Language extends Readonly<Record<Role, string>> {
  readonly name: string
  /** Beside a verb of ignoring or following: the sentence tells of its speaker, or what is not done. */
  readonly self?: string
  /** Before all of it: a question for what its speaker may do. */
  readonly asks?: string
  /** Words stand without blanks between them, or have others before and behind them: all are looked for anywhere; `_` is a blank. */
  readonly anywhere?: true
  /** Characters in which all words of an attack stand. */
  readonly reach?: number
}
