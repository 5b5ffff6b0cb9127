/** Selects the texts of a chunk that are checked, and what of the chunk is released. */

import type { AnyFields, TextLeaf } from '@sallyport/core'
import { isIdentifier, pathKey, textLeavesOf } from '../fields/walk.js'
import type { Path, TextField } from '../fields/walk.js'

/** Whether the text is checked. Copies, asides and well-formed identifiers are not. */
export const isChecked = ({ leaf, text }: TextField): boolean =>
  leaf === 'identifier' ? !isIdentifier(text) : leaf !== 'copy' && leaf !== 'aside'

/**
 * A key of the text that a `delta` or a `line` continues; undefined for other leaves. Deltas have the same key if their
 * field and the `choice` and `index` values along their paths are equal, lines have it if these values are.
 */
export const continuedKey = ({ leaf, path }: TextField, chunk: unknown): string | undefined => {
  if (leaf !== 'delta' && leaf !== 'line') return undefined
  const fields = leaf === 'line' ? [] : path.filter((step) => typeof step === 'string')
  return `${leaf} ${pathKey(fields)}|${positionsAlong(chunk, path)}`
}

/** The members that distinguish several texts of one field. Other numbers do not separate texts. */
const positionKeys = ['choice', 'index']

/** The positions along a path. Zeros are left out, since an absent position means the first. */
const positionsAlong = (chunk: unknown, path: Path) => {
  const numbers: string[] = []
  let value = chunk
  for (const key of path) {
    if (typeof value !== 'object' || value === null) break
    const members = value as Record<string, unknown>
    for (const name of positionKeys) {
      const position = members[name]
      if (typeof position === 'number' && position !== 0) numbers.push(`${name}=${position}`)
    }
    value = members[key]
  }
  return numbers.join(',')
}

/** Whether a chunk contains only a part of a growing text, so that it may be released in smaller parts. */
export const isDivisible = (chunk: unknown, [textField, ...others]: readonly TextField[]): boolean =>
  textField?.leaf === 'delta' && !others.length && hasNothingElse(textField.path, chunk)

const hasNothingElse = ([step, ...rest]: Path, value: unknown): boolean => {
  if (step === undefined) return true
  const members = value as Readonly<Record<string, unknown>>
  const isAlone = Object.keys(members).every((key) => key === String(step) || positionKeys.includes(key))
  return isAlone && hasNothingElse(rest, members[step])
}

/** Whether all texts of a result repeat the request. */
export const repeatsRequest = (fields: AnyFields): boolean => hasOnlyLeaves(fields, ['copy'])

/** Removes the members, at any depth, whose texts are of these kinds only. */
export const withoutLeaves = (fields: AnyFields, value: unknown, kinds: readonly TextLeaf[]): unknown => {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutLeaves(fields, item, kinds))
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (typeof fields === 'string' || Array.isArray(fields)) return value
  const declared = fields as Readonly<Record<string, AnyFields>>
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const inside = Object.hasOwn(declared, key) ? declared[key] : declared['*']
      if (inside === undefined) return [[key, inner]]
      return hasOnlyLeaves(inside, kinds) ? [] : [[key, withoutLeaves(inside, inner, kinds)]]
    }),
  )
}

const hasOnlyLeaves = (fields: AnyFields, kinds: readonly TextLeaf[]): boolean => {
  const leaves = textLeavesOf(fields)
  return leaves.length > 0 && leaves.every((leaf) => kinds.includes(leaf))
}
