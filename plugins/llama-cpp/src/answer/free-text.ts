import type { GrammarBuilder } from '../grammar/index.js'

/**
 * A rule for any text up to the first mark, and behind it the rule that is named, as an automaton that knows how much of
 * the mark has come (Knuth, Morris and Pratt, 1977). Returns its name.
 * @param ends the text may also end before there is any
 */
export const textUntilMark = (builder: GrammarBuilder, mark: string, behind: string, ends: boolean): string => {
  const characters = Array.from(mark)
  const different = [...new Set(characters)]
  const states = characters.map((_, state) => builder.reserve(`text-${state}`))
  const after = (state: number) => states[state] ?? behind
  states.forEach((name, state) => {
    const steps = different.map((character) => {
      const text = [...characters.slice(0, state), character]
      return `${classOf([character])} ${after(overlap(text, characters))}`
    })
    const others = `${classOf(different, '^')} ${after(0)}`
    builder.define(name, [...steps, others, ...(ends ? ['""'] : [])].join(' | '))
  })
  return after(0)
}

/** A rule for any text. */
export const anyText = (builder: GrammarBuilder): string => builder.rule('text', `${classOf(['\0'], '^')}*`)

/** Length of the longest end of the text that the mark begins with. */
const overlap = (text: readonly string[], mark: readonly string[]): number => {
  const length = text.findIndex((_, from) => text.slice(from).every((character, at) => character === mark[at]))
  return length < 0 ? 0 : text.length - length
}

/** A class of characters in GBNF, by their code points. */
export const classOf = (characters: readonly string[], negation: '' | '^' = ''): string =>
  `[${negation}${characters.map((character) => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`).join('')}]`
