import { characters, choice, empty, rule, sequence, text } from '../expression.js'
import type { Expression, Range } from '../expression.js'
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

/** Edges are sorted and disjoint, and so are the sets. */
const byTarget = ({ edges }: State): Map<number, Range[]> => {
  const sets = new Map<number, Range[]>()
  for (const { from, to, target } of edges) {
    const set = sets.get(target)
    if (set) set.push([from, to])
    else sets.set(target, [[from, to]])
  }
  return sets
}

/** Code points that a JSON string holds as they are. */
export const unescaped: CodePoints = [
  [0x20, 0x21],
  [0x23, 0x5b],
  [0x5d, 0xd7ff],
  [0xe000, 0x10ffff],
]

/** And those that need an escape. */
const escaped: CodePoints = [
  [0, 0x1f],
  [0x22, 0x22],
  [0x5c, 0x5c],
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

/** What stands between the backslash and the last character, which tells escapes apart. */
const starts = ['', 'u000', 'u001'] as const

const escapeOf = (code: number): readonly [start: (typeof starts)[number], last: Range] => {
  const letter = shortEscapes.get(code)
  return letter === undefined
    ? [code < 0x10 ? 'u000' : 'u001', ofLetter((code % 0x10).toString(16))]
    : ['', ofLetter(letter)]
}

const ofLetter = (letter: string): Range => [letter.charCodeAt(0), letter.charCodeAt(0)]

const escapes = new Map(
  escaped.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index) => [from + index, escapeOf(from + index)] as const),
  ),
)

/** One code point of the set inside a JSON string, spelled as `JSON.stringify` does. */
export const jsonCharacter = (set: CodePoints): Expression => {
  const plain = intersect(set, unescaped)
  const ways = escapesOf(intersect(set, escaped))
  return choice(
    ...(plain.length ? [characters(...plain)] : []),
    ...(ways.length ? [sequence(text('\\'), choice(...ways))] : []),
  )
}

/** What follows the backslash. */
const escapesOf = (set: CodePoints): Expression[] => {
  const lasts: Record<(typeof starts)[number], Range[]> = { '': [], u000: [], u001: [] }
  for (const [from, to] of set)
    for (let code = from; code <= to; code += 1) {
      const escape = escapes.get(code)
      if (escape) lasts[escape[0]].push(escape[1])
    }
  return starts
    .filter((start) => lasts[start].length > 0)
    .map((start) => sequence(...(start ? [text(start)] : []), characters(...unite(lasts[start]))))
}
