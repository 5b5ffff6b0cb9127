/** Puts the texts of a stream together, and takes replaced texts apart again. */

import type { AnyFields, TextLeaf } from '../capabilities/fields.js'
import { nameOf, rewriteTexts, textsOf } from './walk.js'
import type { Steps, TextSite } from './walk.js'

/** Leaves that are not checked by themselves. */
const unchecked: ReadonlySet<TextLeaf> = new Set(['copy', 'aside', 'identifier'])

/**
 * Names the text that a site belongs to. A `delta` continues that of the earlier pieces with the same numbers beside or
 * above it; any other is one by itself.
 */
const textKey = (site: TextSite, piece: unknown, position: number) =>
  site.leaf === 'delta'
    ? `${nameOf(site.path)}|${numbersOnTheWay(piece, site.path)}`
    : `${nameOf(site.path)}#${position}`

/** Zeros are left out: an absent position is the first. */
const numbersOnTheWay = (piece: unknown, path: Steps) => {
  const numbers: string[] = []
  let value = piece
  for (const key of path) {
    if (typeof value !== 'object' || value === null) break
    for (const [name, inner] of Object.entries(value))
      if (typeof inner === 'number' && inner !== 0) numbers.push(`${name}=${inner}`)
    value = (value as Record<string, unknown>)[key]
  }
  return numbers.join(',')
}

/** The whole texts of a stream by key, in the order of their first piece. */
export const joinDeltas = (fields: AnyFields, pieces: readonly unknown[]): Map<string, string> => {
  const texts = new Map<string, string>()
  pieces.forEach((piece, position) => {
    for (const site of textsOf(fields, piece)) {
      if (unchecked.has(site.leaf)) continue
      const key = textKey(site, piece, position)
      texts.set(key, (texts.get(key) ?? '') + site.text)
    }
  })
  return texts
}

/**
 * The pieces as they may leave: of a text that was replaced, its first piece carries all of it and the others nothing.
 * @param texts the whole texts by key
 * @param replaced what a text becomes
 */
export const putTexts = (
  fields: AnyFields,
  pieces: readonly unknown[],
  texts: ReadonlyMap<string, string>,
  replaced: ReadonlyMap<string, string>,
): readonly unknown[] => {
  const placed = new Set<string>()
  return pieces.map((piece, position) => {
    const newText = (site: TextSite): string | undefined => {
      const whole = texts.get(textKey(site, piece, position))
      const text = whole === undefined ? undefined : replaced.get(whole)
      return text === whole ? undefined : text
    }
    const touched = textsOf(fields, piece).some((site) => newText(site) !== undefined)
    const kept = without(fields, piece, touched ? ['aside', 'copy'] : ['aside'])
    if (!touched) return kept
    return rewriteTexts(fields, kept, (site) => {
      const text = newText(site)
      if (text === undefined) return site.text
      const key = textKey(site, piece, position)
      if (placed.has(key)) return ''
      placed.add(key)
      return text
    })
  })
}

/** Leaves out the members whose text is of these kinds alone, at any depth. */
const without = (fields: AnyFields, value: unknown, kinds: readonly TextLeaf[]): unknown => {
  if (Array.isArray(value)) return value.map((item: unknown) => without(fields, item, kinds))
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (typeof fields === 'string' || Array.isArray(fields)) return value
  const declared = fields as Readonly<Record<string, AnyFields>>
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const inside = Object.hasOwn(declared, key) ? declared[key] : declared['*']
      if (inside === undefined) return [[key, inner]]
      return holdsOnly(inside, kinds) ? [] : [[key, without(inside, inner, kinds)]]
    }),
  )
}

const leavesOf = (fields: AnyFields): TextLeaf[] => {
  if (typeof fields === 'string') return [fields]
  return 'opaque' in fields ? [] : Object.values(fields).flatMap((inner: AnyFields) => leavesOf(inner))
}

const holdsOnly = (fields: AnyFields, kinds: readonly TextLeaf[]): boolean => {
  const leaves = leavesOf(fields)
  return leaves.length > 0 && leaves.every((leaf) => kinds.includes(leaf))
}
