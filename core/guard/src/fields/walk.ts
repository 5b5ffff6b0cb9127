/** Walks the texts of a request or a chunk along its field declaration. */

import type { AnyFields, Leaf, TextLeaf } from '@sallyport/core'
import { showPath } from '@sallyport/kit/json'
import { distinctKeys } from './distinct-keys.js'
import type { ObjectKey } from './distinct-keys.js'
import { isKeyword, isPlainSchemaName, isTypeOrFormatName, isWord } from './schema-words.js'

/** The field names and list positions that lead to a part of a value. */
export type Path = readonly (string | number)[]

/** Whether the text has the form of an identifier that a program made. */
export const isIdentifier = (text: string): boolean => /^[\w.:/-]{1,128}$/.test(text)

/** One text of a value, with its path. */
export interface TextField {
  /** `['messages', 0, 'content', 1, 'text']` */
  readonly path: Path
  readonly leaf: TextLeaf
  readonly text: string
  /** Whether it is one word that names something for programs: a tool, a property, an enumerated value. */
  readonly isProgramName?: boolean
}

/** Returns the new text, or `undefined` to omit the field. */
type Rewrite = (textField: TextField) => string | undefined

const isLeaf = (fields: AnyFields): fields is Leaf => typeof fields === 'string' || 'opaque' in fields
export const isPair = (fields: AnyFields): fields is readonly [Leaf, AnyFields] => Array.isArray(fields)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)

/** All leaves that hold text. */
export const textLeavesOf = (fields: AnyFields): TextLeaf[] => {
  if (typeof fields === 'string') return [fields]
  return 'opaque' in fields ? [] : Object.values(fields).flatMap((inner: AnyFields) => textLeavesOf(inner))
}

/** A key that is unique for each path. */
export const pathKey = (path: Path): string => JSON.stringify(path)

/** Rewrites every text of a value. Unchanged parts are shared with the original. */
export const rewriteTexts = (fields: AnyFields, value: unknown, rewrite: Rewrite, path: Path = []): unknown => {
  if (value === undefined || value === null) return value
  if (Array.isArray(value)) return rewriteList(fields, value, rewrite, path)
  if (isPair(fields)) return rewriteTexts(typeof value === 'string' ? fields[0] : fields[1], value, rewrite, path)
  if (fields === 'schema') return rewriteLeaf('text', value, exceptSchemaWords(rewrite), path)
  if (fields === 'name') return rewriteLeaf('text', value, markingProgramNames(rewrite), path)
  if (isLeaf(fields)) return typeof fields === 'string' ? rewriteLeaf(fields, value, rewrite, path) : value
  return isObject(value) ? rewriteObject(fields, value, rewrite, path) : value
}

const rewriteList = (fields: AnyFields, values: readonly unknown[], rewrite: Rewrite, path: Path) => {
  let copy: unknown[] | undefined
  for (const [index, value] of values.entries()) {
    const rewritten = rewriteTexts(fields, value, rewrite, [...path, index])
    if (rewritten !== value) copy ??= values.slice(0, index)
    if (rewritten !== undefined) copy?.push(rewritten)
  }
  return copy ?? values
}

/** A text leaf may hold any JSON value: then every string, number and key in it is text. */
const rewriteLeaf = (leaf: TextLeaf, value: unknown, rewrite: Rewrite, path: Path): unknown => {
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

interface Member extends ObjectKey {
  readonly inner: unknown
}

/** Rewrites members and keeps their keys distinct. @param rewrite returns undefined to omit a member */
const rewriteMembers = (
  value: Record<string, unknown>,
  rewrite: (key: string, inner: unknown) => readonly [string, unknown] | undefined,
): Record<string, unknown> => {
  const entries = Object.entries(value)
  let kept: Member[] | undefined
  for (const [index, [key, inner]] of entries.entries()) {
    const rewritten = rewrite(key, inner)
    if (rewritten?.[0] !== key || rewritten[1] !== inner) kept ??= entries.slice(0, index).map(unchanged)
    if (rewritten) kept?.push({ key: rewritten[0], isReplaced: rewritten[0] !== key, inner: rewritten[1] })
  }
  if (!kept) return value
  const keys = kept.some(({ isReplaced }) => isReplaced) ? distinctKeys(kept) : kept.map(({ key }) => key)
  return Object.fromEntries(kept.map(({ key, inner }, at) => [keys[at] ?? key, inner]))
}

const unchanged = ([key, inner]: readonly [string, unknown]): Member => ({ key, isReplaced: false, inner })

/** The path of a key ends with that key. The path of a value may end with a position in a list. */
const exceptSchemaWords =
  (rewrite: Rewrite): Rewrite =>
  (textField) => {
    const last = textField.path.at(-1)
    if (last === textField.text && isKeyword(textField.text)) return textField.text
    const key = typeof last === 'number' ? textField.path.at(-2) : last
    if (isTypeOrFormatName(key, textField.text)) return textField.text
    return rewrite(isPlainSchemaName(key, textField.text) ? { ...textField, isProgramName: true } : textField)
  }

const markingProgramNames =
  (rewrite: Rewrite): Rewrite =>
  (textField) =>
    rewrite(isWord(textField.text) ? { ...textField, isProgramName: true } : textField)

/** Numbers are texts, too, since a card number needs no quotes. A replaced number becomes a string. */
const rewriteNumber = (leaf: TextLeaf, value: number, rewrite: Rewrite, path: Path): unknown => {
  const text = String(value)
  const rewritten = rewrite({ path, leaf, text })
  return rewritten === text ? value : rewritten
}

/** In records with texts, the keys are texts, too. */
const rewriteObject = (
  fields: { readonly [key: string]: AnyFields },
  value: Record<string, unknown>,
  rewrite: Rewrite,
  path: Path,
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
export const textsOf = (fields: AnyFields, value: unknown): TextField[] => textsUpTo(fields, value, Infinity) ?? []

/** Every text of a value, in order; undefined where there are more than `max`. */
export const textsUpTo = (fields: AnyFields, value: unknown, max: number): TextField[] | undefined => {
  const textFields: TextField[] = []
  try {
    rewriteTexts(fields, value, (textField) => {
      if (textFields.push(textField) > max) throw tooMany
      return textField.text
    })
  } catch (error) {
    if (error === tooMany) return undefined
    throw error
  }
  return textFields
}

/** Thrown to end a walk early. */
const tooMany = new Error('more texts than the maximum')

/** Replaces the texts of a value, in their order. @throws RangeError for too few or too many texts */
export const withTexts = (fields: AnyFields, value: unknown, texts: readonly Pick<TextField, 'text'>[]): unknown => {
  const next = texts.values()
  const rewritten = rewriteTexts(fields, value, () => {
    const { value: textField } = next.next()
    if (!textField) throw new RangeError('fewer texts than text fields')
    return textField.text
  })
  if (!next.next().done) throw new RangeError('more texts than text fields')
  return rewritten
}

/**
 * The rank of each step of a path: the position in a list, or among the declared fields, and -1 for an undeclared
 * field. Ranks end where the declaration ends, so steps inside values of unknown type have none.
 */
export const ranksOf = (fields: AnyFields, path: Path): number[] => {
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

/**
 * The field at a path; undefined if a part is undeclared, since keys in values of unknown type are the caller's text.
 */
export const fieldAt = (fields: AnyFields, path: Path): string | undefined => {
  const ranks = ranksOf(fields, path)
  return ranks.length === path.length && !ranks.includes(-1) ? showPath(path) : undefined
}
