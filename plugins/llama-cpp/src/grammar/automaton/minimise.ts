import { asItIs, explore, redirect } from './automaton.js'
import type { Automaton, Spend, State } from './automaton.js'

/** Merges states that accept the same texts: Moore's refinement of a partition. Takes a trimmed automaton. */
export const minimise = ({ states }: Automaton, spend: Spend): Automaton => {
  if (states.length === 0) return { states }
  let blocks = number(states, ({ accepts }) => String(accepts))
  for (let count = 0; count !== blocks.count;) {
    count = blocks.count
    const { of } = blocks
    spend(states.length)
    blocks = number(states, (state, index) => `${of[index] ?? 0}:${signature(state, of)}`)
  }
  const representatives = new Map(blocks.of.map((block, index) => [block, states[index]]))
  return explore(spend, blocks.of[0] ?? 0, asItIs, (block, to) => {
    const { accepts = false, edges = [] } = representatives.get(block) ?? {}
    return { accepts, edges: redirect(edges, (target) => to(blocks.of[target] ?? 0)) }
  })
}

const signature = ({ edges }: State, of: readonly number[]): string => {
  let signed = ''
  for (const { from, to, target } of redirect(edges, (old) => of[old])) signed += `${from}-${to}-${target},`
  return signed
}

const number = (
  states: readonly State[],
  keyOf: (state: State, index: number) => string,
): { of: readonly number[]; count: number } => {
  const numbers = new Map<string, number>()
  const of = states.map((state, index) => {
    const key = keyOf(state, index)
    const known = numbers.get(key) ?? numbers.size
    numbers.set(key, known)
    return known
  })
  return { of, count: numbers.size }
}
