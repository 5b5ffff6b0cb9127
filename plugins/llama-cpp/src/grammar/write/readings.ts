import { maxOf } from '@sallyport/core/lists'
import type { Budget } from '../budget.js'
import { components } from './components.js'

/**
 * In how many ways the beginning of a text can be read at the same time. llama.cpp follows all of them for every token,
 * so their number may not grow with the text: values whose alternatives begin alike may not contain themselves.
 */
export class Readings {
  private readonly values = new Map<string, { readings: number; readonly contains: Set<string> }>()
  private current = { readings: 1, contains: new Set<string>() }

  constructor(private readonly budget: Budget) {}

  /** What is said next is of this value. */
  enter(key: string): void {
    this.current = { readings: 1, contains: new Set() }
    this.values.set(key, this.current)
  }

  contain(key: string): void {
    this.current.contains.add(key)
  }

  /** Some alternatives of the value begin alike. */
  fork(readings: number): void {
    this.current.readings = Math.max(this.current.readings, readings)
  }

  /** @throws invalid_request where they are too many, or without a bound */
  check(): void {
    const most = new Map<string, number>()
    const graph = new Map([...this.values].map(([key, { contains }]) => [key, contains]))
    for (const component of components(graph)) {
      const members = new Set(component)
      const own = maxOf(component.map((key) => this.values.get(key)?.readings ?? 1))
      const contained = component.flatMap((key) => [...(this.values.get(key)?.contains ?? [])])
      const isRecursive = contained.some((key) => members.has(key))
      const inner = contained.reduce((all, key) => Math.max(all, most.get(key) ?? 1), 1)
      const readings = isRecursive && own > 1 ? Infinity : own * inner
      this.budget.check('readings', readings)
      for (const key of component) most.set(key, readings)
    }
  }
}
