import { maxOf } from '@sallyport/core/lists'
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
    const graph = new Map([...this.parts].map(([key, { contains, continues }]) => [key, [...contains, ...continues]]))
    for (const component of components(graph)) {
      const counts = this.countsOf(component, known)
      this.budget.check('readings', counts.forks * counts.inner)
      for (const key of component) known.set(key, counts)
    }
  }

  /** Of parts that lead to each other, where those that they lead to are known. */
  private countsOf(component: readonly string[], known: ReadonlyMap<string, Counts>): Counts {
    const parts = component.map((key) => this.parts.get(key)).filter((part) => part !== undefined)
    const rests = parts.flatMap(({ continues }) => continues.map((key) => known.get(key) ?? leaf))
    const contained = parts.flatMap(({ contains }) => contains)
    const members = new Set(component)
    const forks = maxOf(
      [...parts, ...rests].map((part) => part.forks),
      1,
    )
    const values = contained.map((key) => known.get(key) ?? leaf).map((value) => value.forks * value.inner)
    const isRecursive = forks > 1 && contained.some((key) => members.has(key))
    return { forks, inner: isRecursive ? Infinity : maxOf([...values, ...rests.map(({ inner }) => inner)], 1) }
  }
}

const leaf: Counts = { forks: 1, inner: 1 }
