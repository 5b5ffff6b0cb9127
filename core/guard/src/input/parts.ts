/** Texts that models read as one, so they are checked as one, too: the parts of a text, and fields near each other. */

import type { MethodDeclaration } from '@sallyport/core'
import { nameOf } from '../fields/walk.js'
import type { Steps, TextSite } from '../fields/walk.js'

/** Several texts of a request as one. */
export interface JoinedTexts {
  /** Where the first of them stands. */
  readonly path: Steps
  readonly text: string
  /** Where each of them ends. */
  readonly cuts: readonly number[]
  /** Where one speaker's text goes on in another's. */
  readonly from?: number
}

/** @param texts that stand between the separators; those of the sites, by default */
export const joined = (
  sites: readonly TextSite[],
  separator: string,
  texts: readonly string[] = sites.map(({ text }) => text),
): JoinedTexts => {
  let end = -separator.length
  return {
    path: sites[0]?.path ?? [],
    text: texts.join(separator),
    cuts: texts.map(({ length }) => (end += separator.length + length)),
  }
}

/** What has the same name stands together, in the order in which it comes; what has none is left out. */
const grouped = <Item>(items: Iterable<Item>, nameOf: (item: Item) => string | undefined): Item[][] => {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const name = nameOf(item)
    if (name === undefined) continue
    const group = groups.get(name)
    if (group) group.push(item)
    else groups.set(name, [item])
  }
  return [...groups.values()]
}

/** Texts of more than one part. */
export const joinParts = (sites: readonly TextSite[]): readonly JoinedTexts[] =>
  wholesOf(sites).map((parts) => joined(parts, ''))

/** The parts of each text that has several. */
const wholesOf = (sites: readonly TextSite[]): TextSite[][] =>
  grouped(sites, ({ leaf, path }) => (leaf === 'part' ? wholeOf(path) : undefined)).filter(({ length }) => length > 1)

/** Parts of one text differ in their last position only. */
const wholeOf = (path: Steps): string => {
  const last = path.findLastIndex((step) => typeof step === 'number')
  return nameOf(path.filter((_, at) => at !== last))
}

/** Rewrites texts in parts as wholes: the first part carries what became of a text that changed, the others nothing. */
export const rewriteParts = async (
  sites: readonly TextSite[],
  rewrite: (whole: string) => Promise<string>,
): Promise<readonly TextSite[]> => {
  const changed = new Map<TextSite, string>()
  for (const parts of wholesOf(sites)) {
    const { text } = joined(parts, '')
    const rewritten = await rewrite(text)
    if (rewritten !== text) for (const part of parts) changed.set(part, part === parts[0] ? rewritten : '')
  }
  return withChanged(sites, changed)
}

/** The sites, with other texts in those that have changed. */
export const withChanged = (sites: readonly TextSite[], changed: ReadonlyMap<TextSite, string>): readonly TextSite[] =>
  changed.size ? sites.map((site) => ({ ...site, text: changed.get(site) ?? site.text })) : sites

/** A declared field of an item, or a text of a list: `['tools', 0, 'name']`. */
const declaredDepth = 3

/** Joins the texts of each group of fields that models read near each other: an attack may be split over them. */
export const joinTogether = (
  { together = [] }: MethodDeclaration,
  sites: readonly TextSite[],
): readonly JoinedTexts[] => {
  const groupOf = (site: TextSite): string | undefined => {
    const [field, item] = site.path
    const isInside = site.path.length >= declaredDepth
    const group = together.findIndex((fields) => fields.includes(String(field)))
    if (group < 0 || (isInside && !isDeclared(site) && !isProse(site))) return undefined
    return isInside ? `${group} ${item ?? ''}` : String(group)
  }
  return grouped(sites, groupOf).flatMap((texts) => (texts.length > 1 ? [joined(texts, '\n')] : []))
}

const isDeclared = ({ path, text }: TextSite): boolean => path.length === declaredDepth && text !== path.at(-1)

/** What a schema says in words: in values of unknown type, names and single words stand between. */
const isProse = ({ path, text }: TextSite): boolean => {
  const name = path.at(-1)
  return text !== name && (/\s/.test(text) || name === 'description' || name === 'title')
}
