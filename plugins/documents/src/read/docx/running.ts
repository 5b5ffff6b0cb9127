import { parsedPart, relationsOf, resolvePart } from '../../container/package.js'
import { childrenNamed, descendants } from '../../container/xml.js'
import type { XmlElement } from '../../container/xml.js'
import type { Zip } from '../../container/zip.js'
import { isOn } from './styles.js'

/** The parts with the headers, or the footers, that pages show: those of first and of even pages only where these differ. */
export const runningParts = (zip: Zip, part: string, body: XmlElement, kind: 'header' | 'footer'): string[] => {
  const relations = relationsOf(zip, part)
  const settings = parsedPart(zip, resolvePart(part.slice(0, part.lastIndexOf('/')), 'settings.xml'))
  const evenDiffer = isOn(settings, 'evenAndOddHeaders') ?? false
  const targets = descendants(body, 'sectPr').flatMap((section) =>
    childrenNamed(section, `${kind}Reference`).flatMap(({ attributes: { id = '', type = 'default' } }) => {
      const isShown = type === 'first' ? isOn(section, 'titlePg') : type === 'default' || evenDiffer
      const target = relations.get(id)?.target
      return isShown && target !== undefined ? [target] : []
    }),
  )
  return [...new Set(targets)]
}
