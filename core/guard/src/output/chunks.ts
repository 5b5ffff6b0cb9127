/** Selects the texts of a chunk that are checked, and what of the chunk may leave. */

import type { AnyFields, TextLeaf } from '@sallyport/core'
import { isIdentifier, pathKey, textLeavesOf } from '../fields/walk.js'
import type { Path, TextSite } from '../fields/walk.js'

/** Whether the text of a site is checked; copies and identifiers are not. */
export const isChecked = ({ leaf, text }: TextSite): boolean =>
  leaf === 'identifier' ? !isIdentifier(text) : leaf !== 'copy' && leaf !== 'aside'

/** A key of the text that a `delta` continues: that of earlier chunks and items with the same positions on its path. */
export const deltaKey = ({ path }: TextSite, chunk: unknown): string =>
  `${pathKey(path.filter((step) => typeof step === 'string'))}|${positionsAlong(chunk, path)}`

/** The members that tell which of several texts a chunk continues. Other numbers do not separate texts. */
const positions = ['choice', 'index']

/** The positions along a path. Zeros are left out, since an absent position means the first. */
const positionsAlong = (chunk: unknown, path: Path) => {
  const numbers: string[] = []
  let value = chunk
  for (const key of path) {
    if (typeof value !== 'object' || value === null) break
    const members = value as Record<string, unknown>
    for (const name of positions) {
      const position = members[name]
      if (typeof position === 'number' && position !== 0) numbers.push(`${name}=${position}`)
    }
    value = members[key]
  }
  return numbers.join(',')
}

/** Whether a chunk contains only a part of a growing text, so that it may leave in smaller parts. */
export const isDivisible = (chunk: unknown, [site, ...others]: readonly TextSite[]): boolean =>
  site?.leaf === 'delta' && !others.length && hasNothingElse(site.path, chunk)

const hasNothingElse = ([step, ...rest]: Path, value: unknown): boolean => {
  if (step === undefined) return true
  const members = value as Readonly<Record<string, unknown>>
  const isAlone = Object.keys(members).every((key) => key === String(step) || positions.includes(key))
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
