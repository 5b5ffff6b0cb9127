import { characters, choice, nothing, rule, sequence, text } from '../expression.js'
import type { Expression, Range } from '../expression.js'
import type { Rules } from '../rules.js'
import { codePointsOf, complement, includes, intersect, unite } from './code-points.js'
import type { CodePoints } from './code-points.js'
import type { State } from './automaton.js'

/** The maximum number of nested groups, which llama.cpp parses by recursion. */
const maxNesting = 30

/** A rule for the texts that the automaton accepts. */
export const plainText = (states: readonly State[], rules: Rules, hint: string): Expression =>
  new StateWriter(states, rules, hint, text(''), (set) => characters(...set)).reference(0)

/** A rule for these texts as JSON strings, without the opening quotation mark. */
export const stringTail = (states: readonly State[], rules: Rules, hint: string): Expression =>
  new StateWriter(states, rules, hint, text('"'), stringCharacter).reference(0)

/** Writes a rule for each state that several others lead to. */
class StateWriter {
  private readonly incomingEdges = new Map<number, number>()
  private readonly names = new Map<number, string>()
  private depth = 0

  constructor(
    private readonly states: readonly State[],
    private readonly rules: Rules,
    private readonly hint: string,
    private readonly end: Expression,
    private readonly write: (set: CodePoints) => Expression,
  ) {
    for (const { edges } of states)
      for (const { target } of edges) this.incomingEdges.set(target, (this.incomingEdges.get(target) ?? 0) + 1)
  }

  reference(index: number): Expression {
    const known = this.names.get(index)
    if (known !== undefined) return rule(known)
    if (this.incomingEdges.get(index) === 1 && index !== 0 && this.depth < maxNesting) return this.body(index)
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
    if (!state) return nothing
    this.depth += 1
    const branches = state.edges.map(({ set, target }) => sequence(this.write(set), this.reference(target)))
    this.depth -= 1
    return choice(...branches, ...(state.accepts ? [this.end] : []))
  }
}

/** Characters that a JSON string cannot contain unescaped. */
const mustBeEscaped = unite([[0, 0x1f], ...codePointsOf('"\\')])
export const needsNoEscape = complement(mustBeEscaped)

/** The text that `JSON.stringify` writes after the backslash. */
const escapes = mustBeEscaped
  .flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
  .map((code) => ({ code, escape: JSON.stringify(String.fromCharCode(code)).slice(2, -1) }))

/** A rule for one character of the set, escaped as by `JSON.stringify`. */
const stringCharacter = (set: CodePoints): Expression => {
  const plain = intersect(set, needsNoEscape)
  const byStart = new Map<string, Range[]>()
  for (const { code, escape } of escapes) {
    if (!includes(set, code)) continue
    const [start, last] = [escape.slice(0, -1), escape.charCodeAt(escape.length - 1)]
    byStart.set(start, [...(byStart.get(start) ?? []), [last, last]])
  }
  const branches = [...byStart].map(([start, lasts]) => sequence(text(start), characters(...unite(lasts))))
  return choice(
    ...(plain.length ? [characters(...plain)] : []),
    ...(branches.length ? [sequence(text('\\'), choice(...branches))] : []),
  )
}
