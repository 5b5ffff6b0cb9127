import { explore, trim } from './automaton.js'
import type { Automaton, Edge, Spend, State } from './automaton.js'

/** Side by side: where one has no way on, it stays outside of its states. */
const outside = -1

const sideBySide = (
  a: Automaton,
  b: Automaton,
  spend: Spend,
  combine: (a: boolean, b: boolean) => boolean,
): Automaton => {
  const pairs = explore<readonly [number, number]>(
    spend,
    [a.states.length ? 0 : outside, b.states.length ? 0 : outside],
    ([one, other]) => `${one},${other}`,
    ([one, other], to) => {
      const [left, right] = [a.states[one], b.states[other]]
      return {
        accepts: combine(left?.accepts ?? false, right?.accepts ?? false),
        edges: combineEdges(left, right).map((edge) => ({ from: edge.from, to: edge.to, target: to(edge.targets) })),
      }
    },
  )
  return trim(pairs, spend)
}

interface PairOfEdges {
  readonly from: number
  readonly to: number
  readonly targets: readonly [number, number]
}

const combineEdges = (left: State | undefined, right: State | undefined): PairOfEdges[] => {
  const [a, b] = [left?.edges ?? [], right?.edges ?? []]
  const bounds = [...new Set([...a, ...b].flatMap(({ from, to }) => [from, to + 1]))].sort((one, other) => one - other)
  const pairs: PairOfEdges[] = []
  let [nextA, nextB] = [0, 0]
  for (let index = 0; index + 1 < bounds.length; index += 1) {
    const [from, to] = [bounds[index] ?? 0, (bounds[index + 1] ?? 0) - 1]
    while ((a[nextA]?.to ?? Infinity) < from) nextA += 1
    while ((b[nextB]?.to ?? Infinity) < from) nextB += 1
    const targets = [targetAt(a[nextA], from), targetAt(b[nextB], from)] as const
    if (targets[0] !== outside || targets[1] !== outside) pairs.push({ from, to, targets })
  }
  return pairs
}

const targetAt = (edge: Edge | undefined, code: number): number => (edge && edge.from <= code ? edge.target : outside)

export const intersection = (a: Automaton, b: Automaton, spend: Spend): Automaton =>
  sideBySide(a, b, spend, (one, other) => one && other)

export const union = (a: Automaton, b: Automaton, spend: Spend): Automaton =>
  sideBySide(a, b, spend, (one, other) => one || other)

/** What the first accepts and the second does not. */
export const difference = (a: Automaton, b: Automaton, spend: Spend): Automaton =>
  sideBySide(a, b, spend, (one, other) => one && !other)
