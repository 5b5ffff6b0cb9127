import { compilePattern } from '../regex/compile.js'
import type { Pattern, Recognizer } from '../recognizers/recognizer.js'
import { contextOf } from './context.js'
import type { Context } from './context.js'
import type { SearchedPattern } from '../regex/search.js'

export interface CompiledRecognizer {
  readonly recognizer: Recognizer
  readonly patterns: readonly (SearchedPattern & Omit<Pattern, 'regex'>)[]
  readonly context: Context | undefined
}

/** @throws SyntaxError for a pattern that cannot be searched window by window */
export const compileRecognizer = (recognizer: Recognizer): CompiledRecognizer => ({
  recognizer,
  patterns: recognizer.patterns.map(({ regex, ...rest }) => ({
    ...rest,
    ...compilePattern(regex),
    overlapping: rest.within !== undefined,
  })),
  context: contextOf(recognizer.context, recognizer.otherContext),
})
