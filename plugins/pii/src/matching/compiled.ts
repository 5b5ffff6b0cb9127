import { compilePattern } from '../regex/compile.js'
import type { Pattern, Recognizer } from '../recognizers/recognizer.js'
import { compileContext } from './context.js'
import type { Context } from './context.js'
import type { SearchedPattern } from '../regex/search.js'

export type RecognizerPattern = SearchedPattern & Omit<Pattern, 'regex'>

export interface CompiledRecognizer {
  readonly recognizer: Recognizer
  readonly patterns: readonly RecognizerPattern[]
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
  context: compileContext(recognizer.context, recognizer.otherContext),
})
