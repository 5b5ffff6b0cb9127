/** Which texts of a chunk of a stream are checked, and what leaves the server with it. */

import type { AnyFields, TextLeaf } from '@sallyport/core'
import { isIdentifier, nameOf, textLeavesOf } from '../fields/walk.js'
import type { Steps, TextSite } from '../fields/walk.js'

/** Whether the site's text is checked by itself. */
export const isChecked = ({ leaf, text }: TextSite): boolean =>
  leaf === 'identifier' ? !isIdentifier(text) : leaf !== 'copy' && leaf !== 'aside'

/** Names the text that a `delta` continues: that of earlier chunks, and items, with the same positions beside or above it. */
export const deltaKey = ({ path }: TextSite, chunk: unknown): string =>
  `${nameOf(path.filter((step) => typeof step === 'string'))}|${numbersOnTheWay(chunk, path)}`

/** Members that say which text of several a chunk continues; other numbers must not cut one into many. */
const positions = ['choice', 'index']

/** Zeros are left out: an absent position is the first. */
const numbersOnTheWay = (chunk: unknown, path: Steps) => {
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

/** Whether a chunk says nothing but a part of a growing text: it may leave in parts again. */
export const isDivisible = (chunk: unknown, [site, ...others]: readonly TextSite[]): boolean =>
  site?.leaf === 'delta' && !others.length && holdsNothingElse(site.path, chunk)

const holdsNothingElse = ([step, ...rest]: Steps, value: unknown): boolean => {
  if (step === undefined) return true
  const members = value as Readonly<Record<string, unknown>>
  const isAlone = Object.keys(members).every((key) => key === String(step) || positions.includes(key))
  return isAlone && holdsNothingElse(rest, members[step])
}

/** Whether all that is said repeats the request. */
export const repeatsRequest = (fields: AnyFields): boolean => holdsOnly(fields, ['copy'])

/** Leaves out the members whose text is of these kinds alone, at any depth. */
export const withoutLeaves = (fields: AnyFields, value: unknown, kinds: readonly TextLeaf[]): unknown => {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutLeaves(fields, item, kinds))
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (typeof fields === 'string' || Array.isArray(fields)) return value
  const declared = fields as Readonly<Record<string, AnyFields>>
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const inside = Object.hasOwn(declared, key) ? declared[key] : declared['*']
      if (inside === undefined) return [[key, inner]]
      return holdsOnly(inside, kinds) ? [] : [[key, withoutLeaves(inside, inner, kinds)]]
    }),
  )
}

const holdsOnly = (fields: AnyFields, kinds: readonly TextLeaf[]): boolean => {
  const leaves = textLeavesOf(fields)
  return leaves.length > 0 && leaves.every((leaf) => kinds.includes(leaf))
}
