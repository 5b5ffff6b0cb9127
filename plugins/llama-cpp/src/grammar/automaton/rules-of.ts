import { characters, choice, empty, rule, sequence, text } from '../expression.js'
import type { Expression } from '../expression.js'
import type { Rules } from '../rules.js'
import type { Automaton, State } from './automaton.js'
import { intersect, unite } from './code-points.js'
import type { CodePoints } from './code-points.js'

/** llama.cpp reads nested groups by recursion. */
const maxNesting = 30

/** Writes an automaton as rules: a rule for each state that several others lead to. */
export const automatonExpression = (
  automaton: Automaton,
  rules: Rules,
  hint: string,
  end: Expression = empty,
  write: (set: CodePoints) => Expression = (set) => characters(...set),
): Expression => {
  if (automaton.states.length === 0) return choice()
  return new StateWriter(automaton.states, rules, hint, end, write).reference(0)
}

class StateWriter {
  private readonly entries: readonly number[]
  private readonly names = new Map<number, string>()
  private depth = 0

  constructor(
    private readonly states: readonly State[],
    private readonly rules: Rules,
    private readonly hint: string,
    private readonly end: Expression,
    private readonly write: (set: CodePoints) => Expression,
  ) {
    this.entries = countEntries(states)
  }

  reference(index: number): Expression {
    const known = this.names.get(index)
    if (known !== undefined) return rule(known)
    if (this.entries[index] === 1 && index !== 0 && this.depth < maxNesting) return this.body(index)
    const name = this.rules.reserve(this.hint)
    this.names.set(index, name)
    const { depth } = this
    this.depth = 0
    this.rules.set(name, this.body(index))
    this.depth = depth
    return rule(name)
  }

  private body(index: number): Expression {
    const state = this.states[index]
    if (!state) return choice()
    this.depth += 1
    const ways = [...byTarget(state)].map(([target, set]) => sequence(this.write(set), this.reference(target)))
    this.depth -= 1
    return choice(...ways, ...(state.accepts ? [this.end] : []))
  }
}

const countEntries = (states: readonly State[]): number[] => {
  const counts = states.map(() => 0)
  for (const { edges } of states)
    for (const target of new Set(edges.map((edge) => edge.target))) counts[target] = (counts[target] ?? 0) + 1
  return counts
}

const byTarget = ({ edges }: State): Map<number, CodePoints> => {
  const sets = new Map<number, CodePoints>()
  for (const { from, to, target } of edges) sets.set(target, unite([...(sets.get(target) ?? []), [from, to]]))
  return sets
}

/** Code points that a JSON string holds as they are. */
export const unescaped: CodePoints = [
  [0x20, 0x21],
  [0x23, 0x5b],
  [0x5d, 0xd7ff],
  [0xe000, 0x10ffff],
]

const shortEscapes = new Map([
  [0x22, '"'],
  [0x5c, '\\'],
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0c, 'f'],
  [0x0d, 'r'],
])

/** One code point of the set inside a JSON string, spelled as `JSON.stringify` does. */
export const jsonCharacter = (set: CodePoints): Expression => {
  const plain = intersect(set, unescaped)
  const escapes = escapesOf(set)
  return choice(
    ...(plain.length ? [characters(...plain)] : []),
    ...(escapes.length ? [sequence(text('\\'), choice(...escapes))] : []),
  )
}

/** What follows the backslash. */
const escapesOf = (set: CodePoints): Expression[] => {
  const has = (code: number) => set.some(([from, to]) => from <= code && code <= to)
  const short = [...shortEscapes].flatMap(([code, letter]) => (has(code) ? [ofLetter(letter)] : []))
  const rows = (set[0]?.[0] ?? 0x20) < 0x20 ? [0, 0x10] : []
  const long = rows.flatMap((row) => {
    const low = Array.from({ length: 16 }, (_, index) => index).filter(
      (index) => has(row + index) && !shortEscapes.has(row + index),
    )
    const digit = characters(...unite(low.map((index) => ofLetter(index.toString(16)))))
    return low.length ? [sequence(text(row ? 'u001' : 'u000'), digit)] : []
  })
  return [...(short.length ? [characters(...unite(short))] : []), ...long]
}

const ofLetter = (letter: string): readonly [number, number] => [letter.charCodeAt(0), letter.charCodeAt(0)]
