import { child, childrenNamed, descendants, elementsOf } from '../../container/xml.js'
import type { XmlElement } from '../../container/xml.js'
import type { Mark } from '../../model/blocks.js'

export interface OdfStyles {
  /** The marks of a run of text. */
  marks(style: string | undefined): readonly Mark[]
  /** The names of a paragraph's style and of those that it is based on. */
  names(style: string | undefined): readonly string[]
  /** Whether lists of a style have numbers, on each level. */
  ordered(style: string | undefined, level: number): boolean
}

/** The styles of both files of a document. */
export const odfStyles = (roots: readonly (XmlElement | undefined)[]): OdfStyles => {
  const all = roots.flatMap((root) =>
    ['styles', 'automatic-styles'].flatMap((part) => elementsOf(child(root, part) ?? empty)),
  )
  const named = (kind: string) =>
    new Map(all.filter(({ name }) => name === kind).map((one) => [one.attributes['name'] ?? '', one]))
  const [styles, lists] = [named('style'), named('list-style')]
  const chain = (style: string | undefined): XmlElement[] => {
    const found: XmlElement[] = []
    for (
      let one = styles.get(style ?? '');
      one && found.length < 20;
      one = styles.get(one.attributes['parent-style-name'] ?? '')
    )
      found.push(one)
    return found
  }
  return {
    names: (style) => chain(style).map(({ attributes }) => attributes['display-name'] ?? attributes['name'] ?? ''),
    marks: (style) => marksOf(chain(style).map((one) => child(one, 'text-properties')?.attributes ?? {})),
    ordered: (style, level) => {
      const levels = elementsOf(lists.get(style ?? '') ?? empty)
      return levels.find(({ attributes }) => attributes['level'] === String(level))?.name === 'list-level-style-number'
    },
  }
}

const empty: XmlElement = { name: '', attributes: {}, children: [] }

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
export const headersOrFooters = (
  roots: readonly (XmlElement | undefined)[],
  kind: 'header' | 'footer',
): XmlElement[] => {
  const found = (name: string) => roots.flatMap((root) => (root ? descendants(root, name) : []))
  const begun = found('style').map(({ attributes }) => attributes['master-page-name'])
  const used = new Set(['Standard', ...begun])
  return found('master-page')
    .filter(({ attributes }) => used.has(attributes['name']))
    .flatMap((page) => elementsOf(page).filter(({ name }) => name === kind || name.startsWith(`${kind}-`)))
    .filter(({ attributes }) => attributes['display'] !== 'false')
}
