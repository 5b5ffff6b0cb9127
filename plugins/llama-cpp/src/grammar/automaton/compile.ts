/** Regular expressions to automata: Thompson's construction, then that of subsets. */

import { asItIs, AutomatonTooLarge, explore, redirect, trim } from './automaton.js'
import type { Automaton, Spend } from './automaton.js'
import { anyCharacter } from './code-points.js'
import type { CodePoints } from './code-points.js'
import { minimise } from './minimise.js'
import { parseRegex } from './regex.js'
import type { Regex } from './regex.js'

type Assertion = 'start' | 'end'

interface Node {
  readonly free: number[]
  readonly asserted: { readonly assertion: Assertion; readonly target: number }[]
  readonly steps: { readonly set: CodePoints; readonly target: number }[]
}

const maxNodes = 5000

/**
 * Texts in which the pattern is found, as JSON Schema has it: anywhere unless it is anchored.
 * @throws UnsupportedPattern, AutomatonTooLarge
 */
export const compilePattern = (pattern: string, spend: Spend): Automaton => {
  const nodes = new Nodes()
  const [before, first, last, after] = [nodes.add(), nodes.add(), nodes.add(), nodes.add()]
  nodes.step(before, anyCharacter, before)
  nodes.free(before, first)
  nodes.build(parseRegex(pattern), first, last)
  nodes.free(last, after)
  nodes.step(after, anyCharacter, after)
  spend(nodes.all.length)
  return minimise(trim(determinise(nodes.all, before, after, spend), spend), spend)
}

const constants = new Map<string, Automaton>()

/** The same, kept for ever: for patterns that stand in the code. */
export const compileConstant = (pattern: string): Automaton => {
  const automaton = constants.get(pattern) ?? compilePattern(pattern, () => undefined)
  constants.set(pattern, automaton)
  return automaton
}

class Nodes {
  readonly all: Node[] = []

  add(): number {
    if (this.all.length >= maxNodes) throw new AutomatonTooLarge()
    return this.all.push({ free: [], asserted: [], steps: [] }) - 1
  }

  free(from: number, to: number): void {
    this.all[from]?.free.push(to)
  }

  step(from: number, set: CodePoints, target: number): void {
    this.all[from]?.steps.push({ set, target })
  }

  build(regex: Regex, from: number, to: number): void {
    switch (regex.kind) {
      case 'characters':
        this.step(from, regex.set, to)
        return
      case 'start':
      case 'end':
        this.all[from]?.asserted.push({ assertion: regex.kind, target: to })
        return
      case 'choice':
        for (const item of regex.items) this.build(item, from, to)
        return
      case 'sequence':
        this.free(this.chain(regex.items, from), to)
        return
      case 'repeat':
        this.buildRepeat(regex, from, to)
    }
  }

  private chain(items: readonly Regex[], from: number): number {
    return items.reduce((at, item) => {
      const next = this.add()
      this.build(item, at, next)
      return next
    }, from)
  }

  private buildRepeat({ item, least, most }: Regex & { kind: 'repeat' }, from: number, to: number): void {
    let at = from
    for (let count = 0; count < least; count += 1) at = this.chain([item], at)
    if (most === Infinity) {
      const loop = this.add()
      this.free(at, loop)
      this.free(this.chain([item], loop), loop)
      this.free(loop, to)
      return
    }
    for (let count = least; count < most; count += 1) {
      this.free(at, to)
      at = this.chain([item], at)
    }
    this.free(at, to)
  }
}

interface Subset {
  readonly set: readonly number[]
  /** Nothing was read yet: the empty text is at its start and its end. */
  readonly initial: boolean
}

const determinise = (nodes: readonly Node[], first: number, after: number, spend: Spend): Automaton =>
  explore<Subset>(
    spend,
    { set: closure(nodes, [first], after, (assertion) => assertion === 'start'), initial: true },
    ({ set, initial }) => `${initial}${set.join()}`,
    ({ set, initial }, to) => {
      const ways = splitSteps(set.flatMap((index) => nodes[index]?.steps ?? []))
      spend(2 * set.length + 8 * ways.length)
      const edges = ways.map(({ from, to: end, targets }) => ({
        from,
        to: end,
        target: to({ set: closure(nodes, targets, after, () => false), initial: false }),
      }))
      const isAsserted = set.some((index) => nodes[index]?.asserted.length)
      const atEnd = isAsserted ? closure(nodes, set, after, (assertion) => assertion === 'end' || initial) : set
      return { accepts: atEnd.includes(after), edges: redirect(edges, asItIs) }
    },
  )

/** Sorted. Where the pattern was found already, nothing else matters. */
const closure = (
  nodes: readonly Node[],
  from: readonly number[],
  after: number,
  holds: (assertion: Assertion) => boolean,
): number[] => {
  const reached = new Set(from)
  const pending = [...from]
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    const { free = [], asserted = [] } = nodes[index] ?? {}
    const next = [...free, ...asserted.filter(({ assertion }) => holds(assertion)).map(({ target }) => target)]
    for (const target of next) {
      if (reached.has(target)) continue
      reached.add(target)
      pending.push(target)
    }
  }
  return reached.has(after) ? [after] : [...reached].sort((a, b) => a - b)
}

interface SplitStep {
  readonly from: number
  readonly to: number
  readonly targets: readonly number[]
}

/** Into ranges within which the targets are the same. */
const splitSteps = (steps: Node['steps']): SplitStep[] => {
  const ranges = steps.flatMap(({ set, target }) => set.map(([from, to]) => ({ from, to, target })))
  const bounds = [...new Set(ranges.flatMap(({ from, to }) => [from, to + 1]))].sort((a, b) => a - b)
  return bounds.slice(0, -1).flatMap((from, index) => {
    const to = (bounds[index + 1] ?? 0) - 1
    const targets = new Set(ranges.filter((range) => range.from <= from && to <= range.to).map(({ target }) => target))
    return targets.size ? [{ from, to, targets: [...targets] }] : []
  })
}
