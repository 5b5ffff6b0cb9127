import { append } from '@sallyport/kit/lists'
import { descendants, child, elementsOf, xmlText } from '../../container/xml.js'
import type { XmlElement } from '../../container/xml.js'
import type { Inline, Mark } from '../../model/blocks.js'
import { image, text } from '../../model/inlines.js'
import { mathText } from '../math.js'
import { isOn, valueOf } from './styles.js'
import type { Style } from './styles.js'

export interface ParagraphContext {
  style(id: string | undefined): Style | undefined
  /** The address of a link by the id of its relation. */
  link(id: string): string | undefined
  /** The data URI of an image by the id of its relation; undefined where images are not embedded. */
  image(id: string): string | undefined
  /** The label of a note. */
  note(kind: 'footnote' | 'endnote', id: string): string | undefined
}

/** The content of a paragraph, and the text boxes that are anchored in it. */
interface ParagraphContent {
  readonly content: Inline[]
  readonly boxes: XmlElement[]
}

export const paragraphContent = (paragraph: XmlElement, context: ParagraphContext): ParagraphContent => {
  const boxes: XmlElement[] = []
  const base = context.style(valueOf(child(paragraph, 'pPr'), 'pStyle'))
  const heading = base?.outline !== undefined
  const content = elementsOf(paragraph).flatMap((one) => inlineOf(one, { ...context, boxes, heading }))
  return { content, boxes }
}

interface Context extends ParagraphContext {
  readonly boxes: XmlElement[]
  /** Whether the paragraph is a heading, in which bold and italic are ignored. */
  readonly heading: boolean
}

const skippedElements = new Set('pPr del moveFrom rPr sdtPr sdtEndPr proofErr bookmarkStart bookmarkEnd'.split(' '))

const inlineOf = (element: XmlElement, context: Context): Inline[] => {
  const { name, attributes } = element
  if (skippedElements.has(name)) return []
  if (name === 'r') return runOf(element, context)
  if (name === 'oMath') return [text(mathText(element))]
  if (name === 'AlternateContent') return childInlines(child(element, 'Choice') ?? child(element, 'Fallback'), context)
  const content = childInlines(element, context)
  const url = name === 'hyperlink' ? context.link(attributes['id'] ?? '') : undefined
  return url && content.length ? [{ type: 'link', url, content }] : content
}

const childInlines = (element: XmlElement | undefined, context: Context): Inline[] =>
  elementsOf(element).flatMap((one) => inlineOf(one, context))

const runOf = (run: XmlElement, context: Context): Inline[] => {
  const properties = child(run, 'rPr')
  const styled = context.style(valueOf(properties, 'rStyle'))
  if (isOn(properties, 'vanish')) return []
  const is = (name: string) => isOn(properties, name) ?? isOn(styled?.run, name) ?? false
  const marks: Mark[] = []
  if (!context.heading && is('b')) marks.push('bold')
  if (!context.heading && is('i')) marks.push('italic')
  if (is('strike')) marks.push('strike')
  if (/\bcode\b|verbatim/i.test(styled?.name ?? '')) marks.push('code')
  return elementsOf(run).flatMap((one) => runContentOf(one, marks, context))
}

const runContentOf = (element: XmlElement, marks: readonly Mark[], context: Context): Inline[] => {
  const { name, attributes } = element
  switch (name) {
    case 't':
      return [text(xmlText(element), marks)]
    case 'tab':
    case 'ptab':
      return [text('\t', marks)]
    case 'br':
      return attributes['type'] === 'page' || attributes['type'] === 'column' ? [] : [{ type: 'break' }]
    case 'cr':
      return [{ type: 'break' }]
    case 'noBreakHyphen':
      return [text('-', marks)]
    case 'sym': {
      const code = Number.parseInt(attributes['char'] ?? '', 16)
      // symbol fonts use the private use area, whose characters have no meaning elsewhere
      return code > 0x20 && (code < 0xe000 || code > 0xf8ff) ? [text(String.fromCodePoint(code), marks)] : []
    }
    case 'footnoteReference':
    case 'endnoteReference': {
      const label = context.note(name === 'footnoteReference' ? 'footnote' : 'endnote', attributes['id'] ?? '')
      return label === undefined ? [] : [{ type: 'note', label }]
    }
    case 'AlternateContent': {
      const chosen = child(element, 'Choice') ?? child(element, 'Fallback')
      return elementsOf(chosen).flatMap((one) => runContentOf(one, marks, context))
    }
    case 'drawing':
    case 'pict':
    case 'object':
      return drawingInlines(element, context)
    case 'ruby':
      return childInlines(child(element, 'rubyBase'), context)
    default:
      return []
  }
}

const drawingInlines = (drawing: XmlElement, context: Context): Inline[] => {
  append(context.boxes, descendants(drawing, 'txbxContent'))
  const alt = descendants(drawing, 'docPr')[0]?.attributes['descr']
  return descendants(drawing, 'blip', 'imagedata').flatMap(({ attributes: { embed, link, id } }) =>
    image(alt, context.image(embed ?? link ?? id ?? '')),
  )
}
