import { child, childrenNamed, descendants, elementsOf } from '../../container/xml.js'
import type { XmlElement } from '../../container/xml.js'
import type { Mark } from '../../model/blocks.js'

export interface OdfStyles {
  marks(style: string | undefined): readonly Mark[]
  /** The names of a paragraph's style and of those that it is based on. */
  names(style: string | undefined): readonly string[]
  /** Whether lists of a style have numbers on a level, which counts from 1. */
  ordered(style: string | undefined, level: number): boolean
}

/** The files of a document that have styles. */
type Roots = readonly (XmlElement | undefined)[]

export const odfStyles = (roots: Roots): OdfStyles => {
  const all = roots.flatMap((root) => ['styles', 'automatic-styles'].flatMap((part) => elementsOf(child(root, part))))
  const named = (kind: string) =>
    new Map(all.filter(({ name }) => name === kind).map((one) => [one.attributes['name'] ?? '', one]))
  const [styles, lists] = [named('style'), named('list-style')]
  const chain = (style: string | undefined): XmlElement[] => {
    const found: XmlElement[] = []
    let next = styles.get(style ?? '')
    for (; next && found.length < 20; next = styles.get(next.attributes['parent-style-name'] ?? '')) found.push(next)
    return found
  }
  return {
    names: (style) => chain(style).map(({ attributes }) => attributes['display-name'] ?? attributes['name'] ?? ''),
    marks: (style) => marksOf(chain(style).map((one) => child(one, 'text-properties')?.attributes ?? {})),
    ordered: (style, level) => {
      const levels = elementsOf(lists.get(style ?? ''))
      return levels.find(({ attributes }) => attributes['level'] === String(level))?.name === 'list-level-style-number'
    },
  }
}

const marksOf = (properties: readonly Readonly<Record<string, string>>[]): Mark[] => {
  const first = (name: string) => properties.map((one) => one[name]).find((value) => value !== undefined)
  const marks: Mark[] = []
  if (/^(bold|[6-9]00)$/.test(first('font-weight') ?? '')) marks.push('bold')
  if (/^(italic|oblique)$/.test(first('font-style') ?? '')) marks.push('italic')
  if (/^(?!none)./.test(first('text-line-through-style') ?? '')) marks.push('strike')
  return marks
}

/** How often a row or cell is repeated, or how far it spans. */
export const repetitions = (element: XmlElement, attribute: string): number =>
  Math.max(1, Number(element.attributes[attribute] ?? 1) || 1)

export const rowsIn = (table: XmlElement): { row: XmlElement; header: boolean }[] =>
  elementsOf(table).flatMap((one) => {
    if (one.name === 'table-row') return [{ row: one, header: false }]
    if (one.name === 'table-header-rows') return childrenNamed(one, 'table-row').map((row) => ({ row, header: true }))
    return one.name === 'table-row-group' || one.name === 'table-rows' ? rowsIn(one) : []
  })

/** Headers or footers of the master pages that a text uses: the standard one, and those that styles refer to. */
export const headersOrFooters = (roots: Roots, kind: 'header' | 'footer'): XmlElement[] => {
  const found = (name: string) => roots.flatMap((root) => descendants(root, name))
  const used = new Set(['Standard', ...found('style').map(({ attributes }) => attributes['master-page-name'])])
  return found('master-page')
    .filter(({ attributes }) => used.has(attributes['name']))
    .flatMap((page) => elementsOf(page).filter(({ name }) => name === kind || name.startsWith(`${kind}-`)))
    .filter(({ attributes }) => attributes['display'] !== 'false')
}
