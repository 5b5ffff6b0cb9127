import type { Scalar } from '../schema/alternative.js'
import type { ObjectShape } from '../schema/object-shape.js'
import type { ValueContext } from './value-context.js'

/** Represents the keys of all properties that are not named. */
export const otherKey = Symbol('other')
export type Key = string | typeof otherKey

/** The form of the objects of one alternative. */
export interface ObjectForm {
  readonly shape: ObjectShape
  /** Properties in the order in which they are written. */
  readonly named: readonly string[]
  /** Whether properties that are not named may follow. */
  readonly isOpen: boolean
}

/**
 * Counts the parses at each property: that of its own object, and those of other alternatives that begin alike. Two
 * objects are distinguished by the first key, or the first listed value, in which they differ.
 */
export class Overlaps {
  private readonly sharedKeys = new Map<ObjectForm, Map<Key, number>>()

  constructor(
    all: readonly ObjectForm[],
    private readonly context: ValueContext,
  ) {
    for (const [index, one] of all.entries()) for (const other of all.slice(index + 1)) this.compare(one, other)
  }

  parses(object: ObjectForm, key: Key): number {
    return 1 + (this.sharedKeys.get(object)?.get(key) ?? 0)
  }

  /** Walks through two objects side by side, as long as the text may be the beginning of both. */
  private compare(one: ObjectForm, other: ObjectForm): void {
    const [left, right] = [new Set<Key>(), new Set<Key>()]
    const seen = new Set<string>()
    const pending: [at: number, otherAt: number][] = [[0, 0]]
    for (let next = pending.pop(); next; next = pending.pop()) {
      const [at, otherAt] = next
      if (seen.has(next.join())) continue
      seen.add(next.join())
      const steps = stepsOf(other, otherAt)
      this.context.resolver.spend(2 + steps.size / 2)
      for (const [leftKey, after] of stepsOf(one, at))
        for (const [rightKey, otherAfter] of candidates(leftKey, steps)) {
          if (!this.mayBeSame(one, leftKey, other, rightKey)) continue
          left.add(leftKey)
          right.add(rightKey)
          pending.push([after, otherAfter])
        }
    }
    this.count(one, left)
    this.count(other, right)
  }

  private mayBeSame(one: ObjectForm, leftKey: Key, other: ObjectForm, rightKey: Key): boolean {
    if (leftKey === otherKey) return rightKey === otherKey || !one.named.includes(rightKey)
    if (rightKey === otherKey) return !other.named.includes(leftKey)
    const [values, others] = [this.valuesOf(one, leftKey), this.valuesOf(other, leftKey)]
    return !values || !others || [...values].some((value) => others.has(value))
  }

  /** The listed values of a property; undefined where they are not listed. */
  private valuesOf({ shape }: ObjectForm, key: string): ReadonlySet<Scalar> | undefined {
    const lists = this.context.resolver.alternativesOf(shape.property(key)).map(({ values }) => values)
    return lists.includes(undefined) ? undefined : new Set(lists.flatMap((values) => values ?? []))
  }

  private count(object: ObjectForm, keys: ReadonlySet<Key>): void {
    const counts = this.sharedKeys.get(object) ?? new Map<Key, number>()
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
    this.sharedKeys.set(object, counts)
  }
}

/** The steps whose key may equal the given one. */
const candidates = (key: Key, steps: ReadonlyMap<Key, number>): Iterable<[Key, number]> =>
  key === otherKey
    ? steps
    : [key, otherKey as Key].flatMap((each): [Key, number][] => {
        const after = steps.get(each)
        return after === undefined ? [] : [[each, after]]
      })

/** The properties that may come next, each with the index of what may follow it. */
const stepsOf = ({ shape, named, isOpen }: ObjectForm, from: number): ReadonlyMap<Key, number> => {
  const steps = new Map<Key, number>()
  for (let index = from; index < named.length; index += 1) {
    const key = named[index] ?? ''
    steps.set(key, index + 1)
    if (shape.required.has(key)) return steps
  }
  if (isOpen) steps.set(otherKey, named.length)
  return steps
}
