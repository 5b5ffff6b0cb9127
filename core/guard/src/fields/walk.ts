/** Walks a request or a chunk of a result along its field declaration. */

import type { AnyFields, Leaf, TextLeaf } from '@sallyport/core'
import { showPath } from '@sallyport/kit/json'
import { distinctKeys } from './distinct-keys.js'
import type { RewrittenKey } from './distinct-keys.js'
import { isKeyword, isLoneWord, isSchemaWord, isWord } from './schema-words.js'

/** The way to a place in a value: names of fields and positions in lists. */
export type Steps = readonly (string | number)[]

/** Whether the text is a name that a program made. */
export const isIdentifier = (text: string): boolean => /^[\w.:/-]{1,128}$/.test(text)

/** One text of a value: where it stands and what it says. */
export interface TextSite {
  /** `['messages', 0, 'content', 1, 'text']` */
  readonly path: Steps
  readonly leaf: TextLeaf
  readonly text: string
  /** Whether it is one word of a schema that describes nothing: the name of a property, or a value to choose from. */
  readonly word?: boolean
}

/** What becomes of a text: another text, or `undefined` to leave the field out. */
type Rewrite = (site: TextSite) => string | undefined

const isLeaf = (fields: AnyFields): fields is Leaf => typeof fields === 'string' || 'opaque' in fields
export const isPair = (fields: AnyFields): fields is readonly [Leaf, AnyFields] => Array.isArray(fields)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)

/** All leaves that hold text. */
export const textLeavesOf = (fields: AnyFields): TextLeaf[] => {
  if (typeof fields === 'string') return [fields]
  return 'opaque' in fields ? [] : Object.values(fields).flatMap((inner: AnyFields) => textLeavesOf(inner))
}

/** Names a place; different places have different names. */
export const nameOf = (path: Steps): string => JSON.stringify(path)

/** Returns the value with every text rewritten; what stays as it is is shared with the original. */
export const rewriteTexts = (fields: AnyFields, value: unknown, rewrite: Rewrite, path: Steps = []): unknown => {
  if (value === undefined || value === null) return value
  if (Array.isArray(value)) return rewriteList(fields, value, rewrite, path)
  if (isPair(fields)) return rewriteTexts(typeof value === 'string' ? fields[0] : fields[1], value, rewrite, path)
  if (fields === 'schema') return rewriteLeaf('text', value, butForSchemaWords(rewrite), path)
  if (fields === 'name') return rewriteLeaf('text', value, ofName(rewrite), path)
  if (isLeaf(fields)) return typeof fields === 'string' ? rewriteLeaf(fields, value, rewrite, path) : value
  return isObject(value) ? rewriteObject(fields, value, rewrite, path) : value
}

const rewriteList = (fields: AnyFields, values: readonly unknown[], rewrite: Rewrite, path: Steps) => {
  let copy: unknown[] | undefined
  for (const [index, value] of values.entries()) {
    const rewritten = rewriteTexts(fields, value, rewrite, [...path, index])
    if (rewritten !== value) copy ??= values.slice(0, index)
    if (rewritten !== undefined) copy?.push(rewritten)
  }
  return copy ?? values
}

/** A text leaf may hold any JSON value: then every string, number and key in it is text. */
const rewriteLeaf = (leaf: TextLeaf, value: unknown, rewrite: Rewrite, path: Steps): unknown => {
  if (typeof value === 'string') return rewrite({ path, leaf, text: value })
  if (typeof value === 'number') return rewriteNumber(leaf, value, rewrite, path)
  if (Array.isArray(value)) return rewriteList(leaf, value, rewrite, path)
  if (!isObject(value)) return value
  return rewriteMembers(value, (key, inner) => {
    const here = [...path, key]
    const newKey = rewrite({ path: here, leaf, text: key })
    return newKey === undefined ? undefined : [newKey, rewriteLeaf(leaf, inner, rewrite, here)]
  })
}

interface Member extends RewrittenKey {
  readonly inner: unknown
}

/** New keys stay apart. @param rewrite undefined leaves the member out */
const rewriteMembers = (
  value: Record<string, unknown>,
  rewrite: (key: string, inner: unknown) => readonly [string, unknown] | undefined,
): Record<string, unknown> => {
  const entries = Object.entries(value)
  let kept: Member[] | undefined
  for (const [index, [key, inner]] of entries.entries()) {
    const rewritten = rewrite(key, inner)
    if (rewritten?.[0] !== key || rewritten[1] !== inner) kept ??= entries.slice(0, index).map(asItWas)
    if (rewritten) kept?.push({ key: rewritten[0], isNew: rewritten[0] !== key, inner: rewritten[1] })
  }
  if (!kept) return value
  const keys = kept.some(({ isNew }) => isNew) ? distinctKeys(kept) : kept.map(({ key }) => key)
  return Object.fromEntries(kept.map(({ key, inner }, at) => [keys[at] ?? key, inner]))
}

const asItWas = ([key, inner]: readonly [string, unknown]): Member => ({ key, isNew: false, inner })

/** The path to a key ends with it; that to a value may go on through a list. */
const butForSchemaWords =
  (rewrite: Rewrite): Rewrite =>
  (site) => {
    const last = site.path.at(-1)
    if (last === site.text && isKeyword(site.text)) return site.text
    const key = typeof last === 'number' ? site.path.at(-2) : last
    if (isSchemaWord(key, site.text)) return site.text
    return rewrite(isLoneWord(key, site.text) ? { ...site, word: true } : site)
  }

const ofName =
  (rewrite: Rewrite): Rewrite =>
  (site) =>
    rewrite(isWord(site.text) ? { ...site, word: true } : site)

/** A card number is one without quotes, too; replaced, it becomes a string. */
const rewriteNumber = (leaf: TextLeaf, value: number, rewrite: Rewrite, path: Steps): unknown => {
  const text = String(value)
  const rewritten = rewrite({ path, leaf, text })
  return rewritten === text ? value : rewritten
}

/** The keys of a record that holds text are text, too. */
const rewriteObject = (
  fields: { readonly [key: string]: AnyFields },
  value: Record<string, unknown>,
  rewrite: Rewrite,
  path: Steps,
) => {
  const { '*': record } = fields
  const areKeysText = record !== undefined && textLeavesOf(record).length > 0
  return rewriteMembers(value, (key, inner) => {
    const isNamed = Object.hasOwn(fields, key)
    const declared = isNamed ? fields[key] : record
    if (declared === undefined) return [key, inner]
    const here = [...path, key]
    const newKey = areKeysText && !isNamed ? rewrite({ path: here, leaf: 'text', text: key }) : key
    const rewritten = newKey === undefined ? undefined : rewriteTexts(declared, inner, rewrite, here)
    return newKey === undefined || rewritten === undefined ? undefined : [newKey, rewritten]
  })
}

/** Every text of a value, in order. */
export const textsOf = (fields: AnyFields, value: unknown): TextSite[] => boundedTextsOf(fields, value, Infinity) ?? []

/** Every text of a value, in order; undefined where there are more than `max`. */
export const boundedTextsOf = (fields: AnyFields, value: unknown, max: number): TextSite[] | undefined => {
  const sites: TextSite[] = []
  try {
    rewriteTexts(fields, value, (site) => {
      if (sites.push(site) > max) throw tooMany
      return site.text
    })
  } catch (error) {
    if (error === tooMany) return undefined
    throw error
  }
  return sites
}

/** Ends a walk. */
const tooMany = new Error('more texts than were asked for')

/** The value with these texts in the place of its own, in their order. @throws RangeError where they are not as many */
export const withTexts = (fields: AnyFields, value: unknown, texts: readonly Pick<TextSite, 'text'>[]): unknown => {
  const next = texts.values()
  const rewritten = rewriteTexts(fields, value, () => {
    const { value: site } = next.next()
    if (!site) throw new RangeError('fewer texts than places for them')
    return site.text
  })
  if (!next.next().done) throw new RangeError('more texts than places for them')
  return rewritten
}

/**
 * The rank of each step of a path: its position in a list, or among the declared fields. It ends where nothing more is
 * declared, with -1 for an unknown field: keys of values of unknown type have no ranks.
 */
export const ranksOf = (fields: AnyFields, path: Steps): number[] => {
  const ranks: number[] = []
  let declared: AnyFields | undefined = fields
  for (const step of path)
    if (typeof step === 'number') ranks.push(step)
    else {
      const inside: AnyFields = isPair(declared) ? declared[1] : declared
      if (isLeaf(inside) || isPair(inside)) break
      ranks.push(Object.keys(inside).indexOf(step))
      declared = Object.hasOwn(inside, step) ? inside[step] : undefined
      if (declared === undefined) break
    }
  return ranks
}

/** The field at a path, where all of it is declared: names inside values of unknown type are the caller's text. */
export const fieldAt = (fields: AnyFields, path: Steps): string | undefined => {
  const ranks = ranksOf(fields, path)
  return ranks.length === path.length && !ranks.includes(-1) ? showPath(path) : undefined
}
