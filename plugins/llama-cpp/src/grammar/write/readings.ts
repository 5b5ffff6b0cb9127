import type { Budget } from '../budget.js'
import { components } from './components.js'

/** A value, or the rest of one, which several values may end with. */
interface Part {
  /** Alternatives that begin alike. */
  forks: number
  readonly contains: string[]
  readonly continues: string[]
}

interface Counts {
  /** Of the value itself. */
  readonly forks: number
  /** Of what it contains. */
  readonly inner: number
}

/**
 * In how many ways the beginning of a text can be read at the same time. llama.cpp follows all of them for every token,
 * so their number may not grow with the text: values whose alternatives begin alike may not contain themselves.
 */
export class Readings {
  private readonly parts = new Map<string, Part>()
  private current: Part = { forks: 1, contains: [], continues: [] }

  constructor(private readonly budget: Budget) {}

  /** What is said next is of this value, or of this rest of values. */
  enter(key: string): void {
    this.current = { forks: 1, contains: [], continues: [] }
    this.parts.set(key, this.current)
  }

  contain(value: string): void {
    this.current.contains.push(value)
  }

  continueAs(rest: string): void {
    this.current.continues.push(rest)
  }

  /** Some alternatives of the value begin alike. */
  fork(readings: number): void {
    this.current.forks = Math.max(this.current.forks, readings)
  }

  /** @throws invalid_request where they are too many, or without a bound */
  check(): void {
    const known = new Map<string, Counts>()
    const leadsTo = (key: string): readonly string[] => {
      const { contains, continues } = this.parts.get(key) ?? nowhere
      return [...contains, ...continues]
    }
    for (const component of components(this.parts.keys(), leadsTo)) {
      const counts = this.countsOf(component, known)
      this.budget.check('readings', counts.forks * counts.inner)
      for (const key of component) known.set(key, counts)
    }
  }

  /** Of parts that lead to each other, where those that they lead to are known. */
  private countsOf(component: readonly string[], known: ReadonlyMap<string, Counts>): Counts {
    const members = new Set(component)
    let [forks, inner, containsItself] = [1, 1, false]
    for (const key of component) {
      const part = this.parts.get(key) ?? nowhere
      forks = Math.max(forks, part.forks)
      for (const rest of part.continues) {
        const counts = known.get(rest) ?? leaf
        forks = Math.max(forks, counts.forks)
        inner = Math.max(inner, counts.inner)
      }
      for (const value of part.contains) {
        const counts = known.get(value) ?? leaf
        inner = Math.max(inner, counts.forks * counts.inner)
        containsItself ||= members.has(value)
      }
    }
    return { forks, inner: forks > 1 && containsItself ? Infinity : inner }
  }
}

const nowhere: Part = { forks: 1, contains: [], continues: [] }
const leaf: Counts = { forks: 1, inner: 1 }
