/** Regular expressions to automata: Thompson's construction, then that of subsets. */

import { AutomatonTooLarge, explore, joinEdges, trim } from './automaton.js'
import type { Automaton } from './automaton.js'
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
export const compilePattern = (pattern: string): Automaton => {
  const nodes = new Nodes()
  const [before, first, last, after] = [nodes.add(), nodes.add(), nodes.add(), nodes.add()]
  nodes.step(before, anyCharacter, before)
  nodes.free(before, first)
  nodes.build(parseRegex(pattern), first, last)
  nodes.free(last, after)
  nodes.step(after, anyCharacter, after)
  return minimise(trim(determinise(nodes.all, before, after)))
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
        return this.step(from, regex.set, to)
      case 'start':
      case 'end':
        this.all[from]?.asserted.push({ assertion: regex.kind, target: to })
        return
      case 'choice':
        return regex.items.forEach((item) => this.build(item, from, to))
      case 'sequence':
        return this.free(this.chain(regex.items, from), to)
      case 'repeat':
        return this.buildRepeat(regex, from, to)
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

const determinise = (nodes: readonly Node[], first: number, after: number): Automaton =>
  explore<Subset>(
    { set: closure(nodes, [first], after, (assertion) => assertion === 'start'), initial: true },
    ({ set, initial }) => `${initial}${set.join()}`,
    ({ set, initial }, to) => ({
      accepts: closure(nodes, set, after, (assertion) => assertion === 'end' || initial).includes(after),
      edges: joinEdges(
        splitSteps(set.flatMap((index) => nodes[index]?.steps ?? [])).map(({ from, to: end, targets }) => ({
          from,
          to: end,
          target: to({ set: closure(nodes, targets, after, () => false), initial: false }),
        })),
      ),
    }),
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
