import type { Budget } from './budget.js'

/**
 * Counts in how many ways the beginning of a text can be parsed. llama.cpp follows all parses for every token, so their
 * number may not grow with the text: values whose alternatives begin alike may not contain themselves.
 */
export class Ambiguity {
  /** The number of parses by value, including the values that it contains. */
  private readonly counts = new Map<string, number>()
  private readonly containers = new Map<string, Map<string, number>>()

  constructor(private readonly budget: Budget) {}

  /** Notes how many alternatives of a value begin alike. */
  fork(value: string, count: number): void {
    this.counts.set(value, Math.max(count, this.counts.get(value) ?? 1))
  }

  /** @param count number of parses of the container at the value */
  contain(container: string, value: string, count: number): void {
    const containers = this.containers.get(value) ?? new Map<string, number>()
    this.containers.set(value, containers.set(container, Math.max(count, containers.get(container) ?? 1)))
  }

  /**
   * Passes counts from values to their containers as long as any count grows.
   * @throws invalid_request where one is too large
   */
  check(): void {
    const { counts } = this
    const pending = [...this.containers.keys(), ...counts.keys()]
    for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
      const inner = counts.get(value) ?? 1
      this.budget.check('parses', inner)
      this.budget.spend('steps', 1 / 4)
      for (const [container, outer] of this.containers.get(value) ?? []) {
        if (outer * inner <= (counts.get(container) ?? 1)) continue
        counts.set(container, outer * inner)
        pending.push(container)
      }
    }
  }
}
