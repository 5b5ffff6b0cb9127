import { descendants, elementsOf } from '../../container/xml.js'
import type { XmlElement } from '../../container/xml.js'

/** The headers, or the footers, of the pages that a text has: the standard one, and those that its styles begin. */
export const runningOf = (roots: readonly (XmlElement | undefined)[], kind: 'header' | 'footer'): XmlElement[] => {
  const found = (name: string) => roots.flatMap((root) => (root ? descendants(root, name) : []))
  const begun = found('style').map(({ attributes }) => attributes['master-page-name'])
  const used = new Set(['Standard', ...begun])
  return found('master-page')
    .filter(({ attributes }) => used.has(attributes['name']))
    .flatMap((page) => elementsOf(page).filter(({ name }) => name === kind || name.startsWith(`${kind}-`)))
    .filter(({ attributes }) => attributes['display'] !== 'false')
}
