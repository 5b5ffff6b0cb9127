import type { Budget } from './budget.js'

/**
 * Counts in how many ways the beginning of a text can be read at the same time. llama.cpp follows all of them for every
 * token, so their number may not grow with the text: values whose alternatives begin alike may not contain themselves.
 */
export class Readings {
  /** The readings of values and of what they contain. */
  private readonly counts = new Map<string, number>()
  private readonly containers = new Map<string, Map<string, number>>()

  constructor(private readonly budget: Budget) {}

  /** Notes that alternatives of the value itself begin alike. */
  fork(value: string, count: number): void {
    this.counts.set(value, Math.max(count, this.counts.get(value) ?? 1))
  }

  /** @param count in how many ways the container may have been read where it contains the value */
  contain(container: string, value: string, count: number): void {
    const containers = this.containers.get(value) ?? new Map<string, number>()
    this.containers.set(value, containers.set(container, Math.max(count, containers.get(container) ?? 1)))
  }

  /** Goes from values to their containers as long as any count grows. @throws invalid_request where one is too large */
  check(): void {
    const { counts } = this
    const pending = [...this.containers.keys(), ...counts.keys()]
    for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
      const inner = counts.get(value) ?? 1
      this.budget.check('readings', inner)
      this.budget.spend('steps', 1 / 4)
      for (const [container, outer] of this.containers.get(value) ?? []) {
        if (outer * inner <= (counts.get(container) ?? 1)) continue
        counts.set(container, outer * inner)
        pending.push(container)
      }
    }
  }
}
