import { optional, sequence, text } from '../expression.js'
import type { Expression } from '../expression.js'
import type { Rules } from '../rules.js'

/** What stands between tokens. A single space may follow, as models write it; white space without end is their trap. */
export interface Punctuation {
  readonly comma: Expression
  readonly colon: Expression
}

export const punctuationOf = (rules: Rules): Punctuation => ({
  comma: rules.share(',', 'comma', () => sequence(text(','), optional(text(' ')))),
  colon: rules.share(':', 'colon', () => sequence(text(':'), optional(text(' ')))),
})
