import { characters, choice, codePointsOf, complement, empty, repeat, sequence, text } from '../grammar/index.js'
import type { Expression, GrammarBuilder } from '../grammar/index.js'

/**
 * A rule for any text up to the first mark, with what stands behind the mark, as an automaton that knows how much of the
 * mark has come (Knuth, Morris and Pratt, 1977).
 * @param ends whether the text may also end without a mark
 */
export const textUntilMark = (builder: GrammarBuilder, mark: string, behind: Expression, ends: boolean): Expression => {
  const marked = Array.from(mark)
  const different = [...new Set(marked)]
  const states = builder.ring('text', marked.length, (state, rules) => {
    const after = (length: number): Expression => rules[length] ?? behind
    const steps = different.map((character) =>
      sequence(text(character), after(overlap([...marked.slice(0, state), character], marked))),
    )
    return choice(...steps, sequence(anyBut(different.join('')), after(0)), ...(ends ? [empty] : []))
  })
  return states[0] ?? behind
}

/** A rule for any text. */
export const anyText = (builder: GrammarBuilder): Expression => builder.rule('text', repeat(anyBut('\0'), 0, Infinity))

/** One character that is none of these. */
export const anyBut = (excluded: string): Expression => characters(...complement(codePointsOf(excluded)))

/** Length of the longest end of the text that the mark begins with. */
const overlap = (read: readonly string[], mark: readonly string[]): number => {
  const length = read.findIndex((_, from) => read.slice(from).every((character, at) => character === mark[at]))
  return length < 0 ? 0 : read.length - length
}
