import type { Relation } from '../../container/package.js'
import { child, childrenNamed, elementsOf, xmlText } from '../../container/xml.js'
import type { XmlElement } from '../../container/xml.js'
import type { Block, Inline, Mark } from '../../model/blocks.js'
import { isBlank, normaliseSpace, paragraph, text, textLines } from '../../model/inlines.js'
import type { ListEntry } from '../../model/lists.js'
import { mathText } from '../math.js'

export type Relations = ReadonlyMap<string, Relation>

/** The paragraphs of a text body. @param listed whether they have bullets by default */
export const paragraphsOf = (body: XmlElement | undefined, relations: Relations, listed: boolean) => {
  const counts: number[] = []
  return childrenNamed(body, 'p').flatMap((element): (Block | ListEntry)[] => {
    const properties = child(element, 'pPr')
    const content = normaliseSpace(inlinesOf(element, relations))
    if (isBlank(content)) return []
    const level = Math.min(8, Math.max(0, Number(properties?.attributes['lvl'] ?? 0) || 0))
    const ordered = child(properties, 'buAutoNum') !== undefined
    const hasBullet = ordered || child(properties, 'buChar') || child(properties, 'buBlip')
    const block = paragraph(content)
    if (!hasBullet && (!listed || child(properties, 'buNone'))) {
      counts.length = 0
      return [block]
    }
    counts.length = Math.min(counts.length, level + 1)
    const number = (counts[level] ?? 0) + 1
    counts[level] = ordered ? number : 0
    return [{ level, ordered, number, content: [block] }]
  })
}

export const inlinesOf = (paragraph: XmlElement, relations: Relations): Inline[] =>
  elementsOf(paragraph).flatMap((element): Inline[] => {
    switch (element.name) {
      case 'r':
      case 'fld':
        return run(element, relations)
      case 'br':
        return [{ type: 'break' }]
      case 'm':
      case 'oMath':
      case 'oMathPara':
        return [text(mathText(element))]
      case 'AlternateContent':
        return inlinesOf(child(element, 'Choice') ?? element, relations)
      default:
        return []
    }
  })

const run = (element: XmlElement, relations: Relations): Inline[] => {
  const properties = child(element, 'rPr')
  const marks: Mark[] = []
  if (properties?.attributes['b'] === '1') marks.push('bold')
  if (properties?.attributes['i'] === '1') marks.push('italic')
  if (/Strike$/.test(properties?.attributes['strike'] ?? '')) marks.push('strike')
  // a vertical tab is a line break
  const content = textLines(xmlText(child(element, 't')), marks, '\v')
  const link = relations.get(child(properties, 'hlinkClick')?.attributes['id'] ?? '')
  return link?.kind === 'hyperlink' ? [{ type: 'link', url: link.target, content }] : content
}
