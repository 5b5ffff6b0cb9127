import { explore, trim } from './automaton.js'
import type { Automaton, Edge, Spend } from './automaton.js'

/** Side by side: where one has no way on, it stays outside of its states. */
const outside = -1

const sideBySide = (
  a: Automaton,
  b: Automaton,
  spend: Spend,
  combine: (a: boolean, b: boolean) => boolean,
): Automaton => {
  const width = b.states.length + 1
  const pairs = explore<Pair>(
    spend,
    [a.states.length ? 0 : outside, b.states.length ? 0 : outside],
    ([one, other]) => one * width + other,
    ([one, other], to) => {
      const [left, right] = [a.states[one], b.states[other]]
      return {
        accepts: combine(left?.accepts ?? false, right?.accepts ?? false),
        edges: combineEdges(left?.edges ?? [], right?.edges ?? [], to),
      }
    },
  )
  return trim(pairs, spend)
}

type Pair = readonly [one: number, other: number]

/** Both lists are sorted: range by range within which neither changes. */
const combineEdges = (a: readonly Edge[], b: readonly Edge[], toPair: (pair: Pair) => number): Edge[] => {
  const edges: Edge[] = []
  let [nextA, nextB, from] = [0, 0, 0]
  for (let [left, right] = [a[0], b[0]]; left || right; [left, right] = [a[nextA], b[nextB]]) {
    from = Math.max(from, Math.min(left?.from ?? Infinity, right?.from ?? Infinity))
    const one = left && left.from <= from ? left.target : outside
    const other = right && right.from <= from ? right.target : outside
    const to = Math.min(endOf(left, from), endOf(right, from))
    edges.push({ from, to, target: toPair([one, other]) })
    if (left?.to === to) nextA += 1
    if (right?.to === to) nextB += 1
    from = to + 1
  }
  return edges
}

/** Where the range of an edge, or that before it, ends. */
const endOf = (edge: Edge | undefined, from: number): number =>
  edge ? (edge.from <= from ? edge.to : edge.from - 1) : Infinity

export const intersection = (a: Automaton, b: Automaton, spend: Spend): Automaton =>
  sideBySide(a, b, spend, (one, other) => one && other)

export const union = (a: Automaton, b: Automaton, spend: Spend): Automaton =>
  sideBySide(a, b, spend, (one, other) => one || other)

/** What the first accepts and the second does not. */
export const difference = (a: Automaton, b: Automaton, spend: Spend): Automaton =>
  sideBySide(a, b, spend, (one, other) => one && !other)
