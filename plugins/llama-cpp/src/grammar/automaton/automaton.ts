import { anyCharacter, complement } from './code-points.js'

/** To another state, by any code point of a range. Ranges of a state are sorted and disjoint. */
export interface Edge {
  readonly from: number
  readonly to: number
  readonly target: number
}

export interface State {
  readonly accepts: boolean
  readonly edges: readonly Edge[]
}

/** Deterministic, over code points; begins in the first state. Without states it accepts nothing. */
export interface Automaton {
  readonly states: readonly State[]
}

/** More states than is reasonable in a grammar. */
export class AutomatonTooLarge extends Error {}

const maxStates = 2000

/** Takes note of work: some microseconds a unit. */
export type Spend = (units: number) => void

/** Numbers the states that are reached from the first one. @throws AutomatonTooLarge */
export const explore = <Label>(
  spend: Spend,
  first: Label,
  keyOf: (label: Label) => string | number,
  look: (label: Label, to: (target: Label) => number) => State,
): Automaton => {
  const numbers = new Map<string | number, number>()
  const labels: Label[] = []
  const to = (label: Label): number => {
    const key = keyOf(label)
    const known = numbers.get(key)
    if (known !== undefined) return known
    if (labels.length >= maxStates) throw new AutomatonTooLarge()
    numbers.set(key, labels.length)
    labels.push(label)
    return labels.length - 1
  }
  to(first)
  const states: State[] = []
  for (let index = 0; index < labels.length; index += 1) {
    const state = look(labels[index] as Label, to)
    spend(2 + 2 * state.edges.length)
    states.push(state)
  }
  return { states }
}

/** States from which no text is accepted any more are left out. */
export const trim = ({ states }: Automaton, spend: Spend): Automaton => {
  const useful = coAccessible(states)
  if (!useful.has(0)) return { states: [] }
  return explore<number>(spend, 0, asItIs, (index, to) => {
    const { accepts = false, edges = [] } = states[index] ?? {}
    return { accepts, edges: redirect(edges, (target) => (useful.has(target) ? to(target) : undefined)) }
  })
}

/** The key of states that are numbers. */
export const asItIs = (state: number): number => state

const coAccessible = (states: readonly State[]): Set<number> => {
  const sources = states.map((): number[] => [])
  states.forEach(({ edges }, index) => edges.forEach(({ target }) => sources[target]?.push(index)))
  const pending = states.flatMap(({ accepts }, index) => (accepts ? [index] : []))
  const useful = new Set(pending)
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    for (const source of sources[index] ?? []) {
      if (useful.has(source)) continue
      useful.add(source)
      pending.push(source)
    }
  }
  return useful
}

/** Leads edges elsewhere, or nowhere: neighbouring ranges with the same target become one. */
export const redirect = (edges: readonly Edge[], targetOf: (target: number) => number | undefined): Edge[] => {
  const joined: { from: number; to: number; target: number }[] = []
  let last: (typeof joined)[number] | undefined
  for (const { from, to, target: old } of edges) {
    const target = targetOf(old)
    if (target === undefined) continue
    if (last?.target === target && last.to + 1 === from) last.to = to
    else joined.push((last = { from, to, target }))
  }
  return joined
}

export const anyText: Automaton = {
  states: [{ accepts: true, edges: anyCharacter.map(([from, to]) => ({ from, to, target: 0 })) }],
}

/** Texts of so many code points. */
export const lengths = (least: number, most: number, spend: Spend): Automaton =>
  explore<number>(spend, 0, asItIs, (length, to) => ({
    accepts: length >= least,
    edges:
      length === most
        ? []
        : anyCharacter.map(([from, end]) => ({
            from,
            to: end,
            target: to(most === Infinity ? Math.min(length + 1, least) : length + 1),
          })),
  }))

/** Exactly these texts. */
export const ofTexts = (texts: Iterable<string>): Automaton => {
  const states: { accepts: boolean; next: Map<number, number> }[] = [{ accepts: false, next: new Map() }]
  for (const text of texts) {
    let at = 0
    for (const char of text) {
      const code = char.codePointAt(0) ?? 0
      const next = states[at]?.next ?? new Map<number, number>()
      const known = next.get(code)
      if (known === undefined) next.set(code, states.push({ accepts: false, next: new Map() }) - 1)
      at = known ?? states.length - 1
    }
    const end = states[at]
    if (end) end.accepts = true
  }
  return {
    states: states.map(({ accepts, next }) => ({
      accepts,
      edges: [...next].sort(([a], [b]) => a - b).map(([code, target]) => ({ from: code, to: code, target })),
    })),
  }
}

/** All texts but these. */
export const allBut = (texts: Iterable<string>): Automaton => {
  const { states } = ofTexts(texts)
  const free = states.length
  return {
    states: [
      ...states.map((state) => ({ accepts: !state.accepts, edges: fillGaps(state.edges, free) })),
      { accepts: true, edges: fillGaps([], free) },
    ],
  }
}

const fillGaps = (edges: readonly Edge[], target: number): Edge[] => {
  const gaps = complement(edges.map(({ from, to }) => [from, to])).map(([from, to]) => ({ from, to, target }))
  return [...edges, ...gaps].sort((a, b) => a.from - b.from)
}

export const accepts = ({ states }: Automaton, text: string): boolean => {
  let state = states[0]
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    const edge = state?.edges.find(({ from, to }) => from <= code && code <= to)
    if (!edge) return false
    state = states[edge.target]
  }
  return state?.accepts ?? false
}

export const isEmpty = ({ states }: Automaton): boolean => states.length === 0
