import { append } from '@sallyport/kit/lists'
import { descendants, child, xmlText } from '../../container/xml.js'
import type { XmlElement } from '../../container/xml.js'
import type { Inline, Mark } from '../../model/blocks.js'
import { image, text } from '../../model/inlines.js'
import type { OdfStyles } from './styles.js'

interface InlineContext {
  readonly styles: OdfStyles
  /** The data URI of an image; undefined where images are not embedded. */
  image(href: string): string | undefined
  /** Reads a note and returns its label. */
  note(note: XmlElement): string
  /** Collects text boxes that are anchored in the paragraph. */
  readonly boxes: XmlElement[]
}

const skippedElements = new Set(
  (
    'annotation annotation-end tracked-changes change change-start change-end ruby-text bookmark bookmark-start ' +
    'bookmark-end reference-mark-start reference-mark-end alphabetical-index-mark'
  ).split(' '),
)

/** The content of a paragraph. */
export const odfInlines = (element: XmlElement, context: InlineContext, marks: readonly Mark[] = []): Inline[] =>
  element.children.flatMap((one): Inline[] => {
    if (typeof one === 'string') return [text(one, marks)]
    const { name, attributes } = one
    if (skippedElements.has(name)) return []
    switch (name) {
      case 's':
        return [text(' '.repeat(Math.min(1000, Number(attributes['c'] ?? 1) || 1)), marks)]
      case 'tab':
        return [text('\t', marks)]
      case 'line-break':
        return [{ type: 'break' }]
      case 'span':
        return odfInlines(one, context, [...new Set([...marks, ...context.styles.marks(attributes['style-name'])])])
      case 'a': {
        const url = attributes['href'] ?? ''
        const content = odfInlines(one, context, marks)
        return url && !url.startsWith('#') ? [{ type: 'link', url, content }] : content
      }
      case 'note':
        return [{ type: 'note', label: context.note(one) }]
      case 'frame':
      case 'custom-shape':
      case 'g':
        return frameInlines(one, context)
      default:
        return odfInlines(one, context, marks)
    }
  })

/** The first image of a frame; its text boxes go to the context. */
export const frameInlines = (frame: XmlElement, context: InlineContext): Inline[] => {
  append(context.boxes, descendants(frame, 'text-box'))
  if (frame.name === 'custom-shape') context.boxes.push(frame)
  const alt = [child(frame, 'title'), child(frame, 'desc')].map(xmlText).filter(Boolean).join(' ')
  const [found] = descendants(frame, 'image')
  return found ? image(alt, context.image(found.attributes['href'] ?? '')) : []
}
