/** Joins texts that models read as one: the parts of a text, and neighbouring fields. */

import type { MethodDeclaration } from '@sallyport/core'
import { pathKey } from '../fields/walk.js'
import type { Path, TextField } from '../fields/walk.js'

/** Several texts of a request, joined. */
export interface JoinedTexts {
  /** The path of the first text. */
  readonly path: Path
  readonly text: string
  /** The end of each text. */
  readonly partEnds: readonly number[]
  /** Where the last role's text begins, if there are two roles. */
  readonly from?: number
}

/** @param texts to join, by default those of the text fields */
export const joinTextFields = (
  textFields: readonly TextField[],
  separator: string,
  texts: readonly string[] = textFields.map(({ text }) => text),
): JoinedTexts => {
  let end = -separator.length
  return {
    path: textFields[0]?.path ?? [],
    text: texts.join(separator),
    partEnds: texts.map(({ length }) => (end += separator.length + length)),
  }
}

/** Groups items by key, in the order of their first item. Items without a key are left out. */
const groupBy = <Item>(items: Iterable<Item>, keyOf: (item: Item) => string | undefined): Item[][] => {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    if (key === undefined) continue
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return [...groups.values()]
}

/** Joins the parts of each text that has several. */
export const joinParts = (textFields: readonly TextField[]): readonly JoinedTexts[] =>
  partsByText(textFields).map((parts) => joinTextFields(parts, ''))

/** The parts of each text that has several. */
const partsByText = (textFields: readonly TextField[]): TextField[][] =>
  groupBy(textFields, ({ leaf, path }) => (leaf === 'part' ? keyOfWhole(path) : undefined)).filter(
    ({ length }) => length > 1,
  )

/** A key that the parts of one text share: their paths differ in the last position only. */
export const keyOfWhole = (path: Path): string => {
  const last = path.findLastIndex((step) => typeof step === 'number')
  return pathKey(path.filter((_, at) => at !== last))
}

/**
 * Rewrites texts in parts as a whole. If a text changes, its first part gets all of it, and the other parts become
 * empty.
 */
export const rewriteParts = async (
  textFields: readonly TextField[],
  rewrite: (parts: readonly string[]) => Promise<string>,
): Promise<readonly TextField[]> => {
  const changes = new Map<TextField, string>()
  for (const parts of partsByText(textFields)) {
    const texts = parts.map(({ text }) => text)
    const rewritten = await rewrite(texts)
    if (rewritten !== texts.join('')) for (const part of parts) changes.set(part, part === parts[0] ? rewritten : '')
  }
  return withChanges(textFields, changes)
}

/** The text fields with changed texts. */
export const withChanges = (
  textFields: readonly TextField[],
  changes: ReadonlyMap<TextField, string>,
): readonly TextField[] =>
  changes.size
    ? textFields.map((textField) => ({ ...textField, text: changes.get(textField) ?? textField.text }))
    : textFields

/** Path length of a declared field of a list item, such as `['tools', 0, 'name']`. */
const declaredDepth = 3

/** Joins the texts of each group of fields in `together`, over which an attack may be split. */
export const joinGroups = (
  { together = [] }: MethodDeclaration,
  textFields: readonly TextField[],
): readonly JoinedTexts[] => {
  const groupOf = (textField: TextField): string | undefined => {
    const [field, item] = textField.path
    const isInside = textField.path.length >= declaredDepth
    const group = together.findIndex((fields) => fields.includes(String(field)))
    if (group < 0 || (isInside && !isDeclared(textField) && !isProse(textField))) return undefined
    return isInside ? `${group} ${item ?? ''}` : String(group)
  }
  return groupBy(textFields, groupOf).flatMap((texts) => (texts.length > 1 ? [joinTextFields(texts, '\n')] : []))
}

const isDeclared = ({ path, text }: TextField): boolean => path.length === declaredDepth && text !== path.at(-1)

/** Whether a text inside a value of unknown type, such as a schema, is prose and not a key or a single word. */
const isProse = ({ path, text }: TextField): boolean => {
  const name = path.at(-1)
  return text !== name && (/\s/.test(text) || name === 'description' || name === 'title')
}
