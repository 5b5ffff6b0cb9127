import type { AnyFields, Leaf } from '../../src/capabilities/index.js'

export interface DeclaredLeaf {
  /** Keys on the way; the parts of a pair are `0` (the leaf) and `1` (the structure). */
  readonly path: readonly string[]
  readonly leaf: Leaf
}

const isLeaf = (fields: AnyFields): fields is Leaf => typeof fields === 'string' || 'opaque' in fields

/** Every leaf of a declaration. */
export const leavesOf = (fields: AnyFields, path: readonly string[] = []): DeclaredLeaf[] =>
  isLeaf(fields)
    ? [{ path, leaf: fields }]
    : Object.entries(fields as Record<string, AnyFields>).flatMap(([key, inner]) => leavesOf(inner, [...path, key]))

/** The declaration without what stands at the path. */
export const without = (fields: AnyFields, [key, ...rest]: readonly string[]): AnyFields => {
  if (key === undefined || isLeaf(fields)) return fields
  const entries = Object.entries(fields as Record<string, AnyFields>).flatMap(
    ([name, inner]): [string, AnyFields][] => {
      if (name !== key) return [[name, inner]]
      return rest.length ? [[name, without(inner, rest)]] : []
    },
  )
  return Array.isArray(fields)
    ? (entries.map(([, inner]) => inner) as unknown as AnyFields)
    : Object.fromEntries(entries)
}
