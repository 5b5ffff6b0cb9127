import type { Scalar } from '../schema/alternative.js'
import type { ObjectShape } from '../schema/object-shape.js'
import type { ValueContext } from './value-context.js'

/** The key that stands for all properties that are not named. */
export const otherKey = Symbol('other')
export type Key = string | typeof otherKey

/** An alternative of several objects. */
export interface Contender {
  readonly shape: ObjectShape
  /** Properties in the order in which they are written. */
  readonly named: readonly string[]
  /** Whether properties that are not named may follow. */
  readonly isOpen: boolean
}

/**
 * Counts in how many ways the value of a property may be read: as part of its own object, and of others that begin alike.
 * Objects are told apart by the first key, or the first listed value, in which they differ.
 */
export class Overlaps {
  private readonly alike = new Map<Contender, Map<Key, number>>()

  constructor(
    all: readonly Contender[],
    private readonly context: ValueContext,
  ) {
    for (const [index, one] of all.entries()) for (const other of all.slice(index + 1)) this.compare(one, other)
  }

  readings(object: Contender, key: Key): number {
    return 1 + (this.alike.get(object)?.get(key) ?? 0)
  }

  /** Goes through two objects side by side, as long as what is written may be the beginning of both. */
  private compare(one: Contender, other: Contender): void {
    const [left, right] = [new Set<Key>(), new Set<Key>()]
    const seen = new Set<string>()
    const pending: [at: number, otherAt: number][] = [[0, 0]]
    for (let next = pending.pop(); next; next = pending.pop()) {
      const [at, otherAt] = next
      if (seen.has(next.join())) continue
      seen.add(next.join())
      const steps = stepsOf(other, otherAt)
      this.context.alternatives.spend(2 + steps.size / 2)
      for (const [key, after] of stepsOf(one, at))
        for (const [otherStep, otherAfter] of candidates(key, steps)) {
          if (!this.mayBeSame(one, key, other, otherStep)) continue
          left.add(key)
          right.add(otherStep)
          pending.push([after, otherAfter])
        }
    }
    this.count(one, left)
    this.count(other, right)
  }

  private mayBeSame(one: Contender, key: Key, other: Contender, otherStep: Key): boolean {
    if (key === otherKey) return otherStep === otherKey || !one.named.includes(otherStep)
    if (otherStep === otherKey) return !other.named.includes(key)
    const [values, others] = [this.valuesOf(one, key), this.valuesOf(other, key)]
    return !values || !others || [...values].some((value) => others.has(value))
  }

  /** The values are undefined where they are not listed. */
  private valuesOf({ shape }: Contender, key: string): ReadonlySet<Scalar> | undefined {
    const found = this.context.alternatives.of(shape.property(key))
    return found.every(({ values }) => values) ? new Set(found.flatMap(({ values }) => values ?? [])) : undefined
  }

  private count(object: Contender, keys: ReadonlySet<Key>): void {
    const counts = this.alike.get(object) ?? new Map<Key, number>()
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
    this.alike.set(object, counts)
  }
}

/** Steps that may be the one with the key. */
const candidates = (key: Key, steps: ReadonlyMap<Key, number>): Iterable<[Key, number]> =>
  key === otherKey
    ? steps
    : [...new Set<Key>([key, otherKey])].flatMap((each): [Key, number][] => {
        const after = steps.get(each)
        return after === undefined ? [] : [[each, after]]
      })

/** The properties that may come next, each with the index of what may follow it. */
const stepsOf = ({ shape, named, isOpen }: Contender, from: number): ReadonlyMap<Key, number> => {
  const steps = new Map<Key, number>()
  for (let index = from; index < named.length; index += 1) {
    const key = named[index] ?? ''
    steps.set(key, index + 1)
    if (shape.required.has(key)) return steps
  }
  if (isOpen) steps.set(otherKey, named.length)
  return steps
}
