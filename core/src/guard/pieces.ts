/** Puts the texts of a stream together, and takes replaced texts apart again. */

import type { AnyFields } from '../capabilities/fields.js'
import { rewriteTexts, textsOf } from './walk.js'
import type { TextSite } from './walk.js'

/**
 * Names the text that a site belongs to. A `text` leaf is one by itself; a `delta` leaf continues that of the earlier
 * pieces with the same numbers beside or above it.
 */
const textKey = (site: TextSite, piece: unknown, position: number) =>
  site.leaf === 'delta' ? `${site.path}|${numbersOnTheWay(piece, site.path)}` : `${site.path}#${position}`

const numbersOnTheWay = (piece: unknown, path: string) => {
  const numbers: string[] = []
  let value = piece
  for (const key of path.split(/[.[\]]+/)) {
    if (typeof value !== 'object' || value === null) break
    for (const [name, inner] of Object.entries(value)) if (typeof inner === 'number') numbers.push(`${name}=${inner}`)
    value = (value as Record<string, unknown>)[key]
  }
  return numbers.join(',')
}

/** The whole texts of a stream by key, in the order of their first piece; copies are not among them. */
export const joinDeltas = (fields: AnyFields, pieces: readonly unknown[]): Map<string, string> => {
  const texts = new Map<string, string>()
  pieces.forEach((piece, position) => {
    for (const site of textsOf(fields, piece)) {
      if (site.leaf === 'copy') continue
      const key = textKey(site, piece, position)
      texts.set(key, (texts.get(key) ?? '') + site.text)
    }
  })
  return texts
}

/** The pieces with replaced texts in place: the first piece of a text carries all of it, the others of it are empty. */
export const putTexts = (
  fields: AnyFields,
  pieces: readonly unknown[],
  original: ReadonlyMap<string, string>,
  replaced: ReadonlyMap<string, string>,
): readonly unknown[] => {
  const changed = new Set([...replaced].filter(([key, text]) => original.get(key) !== text).map(([key]) => key))
  if (!changed.size) return pieces
  const placed = new Set<string>()
  return pieces.map((piece, position) => {
    const touched = textsOf(fields, piece).some((site) => changed.has(textKey(site, piece, position)))
    if (!touched) return piece
    return rewriteTexts(fields, withoutCopies(fields, piece), (site) => {
      const key = textKey(site, piece, position)
      if (!changed.has(key)) return site.text
      if (placed.has(key)) return ''
      placed.add(key)
      return replaced.get(key)
    })
  })
}

const isCopy = (fields: AnyFields): boolean =>
  typeof fields === 'string' ? fields === 'copy' : Object.values(fields).every((inner: AnyFields) => isCopy(inner))

/** Leaves out the members that only repeat text: log-probabilities show the tokens of what was replaced. */
const withoutCopies = (fields: AnyFields, piece: unknown) =>
  Object.fromEntries(
    Object.entries(piece as Record<string, unknown>).filter(([key]) => {
      const inner = (fields as Record<string, AnyFields | undefined>)[key]
      return inner === undefined || !isCopy(inner)
    }),
  )
