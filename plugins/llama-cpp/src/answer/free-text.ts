import { characters, choice, codePointsOf, complement, empty, repeat, sequence, text } from '../grammar/index.js'
import type { Expression, GrammarBuilder } from '../grammar/index.js'

/**
 * A rule for any text up to the first mark and for what follows the mark. Each state of the automaton represents the
 * length of the mark that has been read (Knuth, Morris and Pratt, 1977).
 * @param mayEnd whether the text may also end without a mark
 */
export const textUntilMark = (
  builder: GrammarBuilder,
  mark: string,
  afterMark: Expression,
  mayEnd: boolean,
): Expression => {
  const markCharacters = Array.from(mark)
  const different = [...new Set(markCharacters)]
  const states = builder.recursiveRules('text', markCharacters.length, (state, rules) => {
    const after = (length: number): Expression => rules[length] ?? afterMark
    const steps = different.map((character) =>
      sequence(text(character), after(overlap([...markCharacters.slice(0, state), character], markCharacters))),
    )
    return choice(...steps, sequence(anyBut(different.join('')), after(0)), ...(mayEnd ? [empty] : []))
  })
  return states[0] ?? afterMark
}

/** A rule for any text. */
export const anyText = (builder: GrammarBuilder): Expression => builder.rule('text', repeat(anyBut('\0'), 0, Infinity))

/** A rule for one character that is none of these. */
export const anyBut = (excluded: string): Expression => characters(...complement(codePointsOf(excluded)))

/** The length of the longest end of the text that the mark begins with. */
const overlap = (read: readonly string[], mark: readonly string[]): number => {
  const length = read.findIndex((_, from) => read.slice(from).every((character, at) => character === mark[at]))
  return length < 0 ? 0 : read.length - length
}
