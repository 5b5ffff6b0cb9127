import { xmlElementsIn } from '../elements.js'
import type { ElementCount } from '../elements.js'
import type { Block, DocumentTree } from '../model/blocks.js'
import { text } from '../model/inlines.js'
import { DocumentProblem } from '../problem.js'
import { elementsOf, parseXml, xmlText } from '../container/xml.js'
import type { XmlElement } from '../container/xml.js'

/**
 * The texts of its elements: of each that has text itself a paragraph, with all that is in it; undefined where it is not
 * well-formed.
 * @throws DocumentProblem
 */
export const xmlTree = (source: string, elements: ElementCount): DocumentTree | undefined => {
  const root = elements.attempt(xmlElementsIn(source), () => wellFormed(source))
  if (!root) return undefined
  const blocks: Block[] = []
  const visit = (element: XmlElement): void => {
    if (element.children.some((child) => typeof child === 'string' && child.trim() !== '')) {
      blocks.push({ type: 'paragraph', content: [text(xmlText(element).trim())] })
    } else for (const child of elementsOf(element)) visit(child)
  }
  visit(root)
  return { blocks }
}

const wellFormed = (source: string): XmlElement | undefined => {
  try {
    return parseXml(source)
  } catch (error) {
    if (error instanceof DocumentProblem) throw error
    return undefined
  }
}
