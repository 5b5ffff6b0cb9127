import { coreTitle, mainPart, parsedPart, imageUri, relationsOf } from '../../container/package.js'
import { child, childrenNamed, descendants, elementsOf } from '../../container/xml.js'
import type { XmlElement } from '../../container/xml.js'
import type { Zip } from '../../container/zip.js'
import type { Block, Cell, DocumentTree, Heading, Table } from '../../model/blocks.js'
import { image, isBlank, normaliseSpace, paragraph, plainOf, text } from '../../model/inlines.js'
import { withLists } from '../../model/lists.js'
import type { ListEntry } from '../../model/lists.js'
import { headingsFirst } from '../../model/nested-blocks.js'
import { DocumentProblem } from '../../problem.js'
import type { ContainerReader } from '../source.js'
import { chartBlocks } from './chart.js'
import { inlinesOf, paragraphsOf } from './text.js'
import type { Relations } from './text.js'

/** Reads each slide as a page: its title, the text of its shapes, and the speaker's notes as a quotation. */
export const readPptx: ContainerReader = ({ embedImages, limits }, zip): DocumentTree => {
  const main = mainPart(zip) ?? ''
  const presentation = parsedPart(zip, main)
  if (!presentation) throw new DocumentProblem('its main part is missing: save it again as pptx')
  const relations = relationsOf(zip, main)
  const slides = childrenNamed(child(presentation, 'sldIdLst'), 'sldId').flatMap(
    ({ attributes }) => relations.get(attributes['id'] ?? '')?.target ?? [],
  )
  if (slides.length > limits.pages)
    throw new DocumentProblem(`it has ${slides.length} slides, and at most ${limits.pages} are read: split it`)
  const blocks = slides.flatMap((part, index) => new SlideReader(zip, part, embedImages).read(index + 1))
  const first = blocks.find((block): block is Heading => block.type === 'heading' && block.page === 1)
  const title = coreTitle(zip) ?? (first && plainOf(first.content))
  return { ...(title && { title }), blocks }
}

class SlideReader {
  private readonly relations: Relations

  constructor(
    private readonly zip: Zip,
    private readonly part: string,
    private readonly embedImages: boolean,
  ) {
    this.relations = relationsOf(zip, part)
  }

  read(page: number): Block[] {
    const slide = parsedPart(this.zip, this.part)
    if (!slide || slide.attributes['show'] === '0') return []
    const blocks = withLists(this.shapes(child(slide, 'cSld', 'spTree')))
    return [...headingsFirst(blocks), ...this.notes()].map((block) => ({ ...block, page }))
  }

  private shapes(tree: XmlElement | undefined): (Block | ListEntry)[] {
    return elementsOf(tree).flatMap((shape): (Block | ListEntry)[] => {
      switch (shape.name) {
        case 'sp':
          return this.shape(shape)
        case 'grpSp':
          return this.shapes(shape)
        case 'AlternateContent':
          return this.shapes(child(shape, 'Choice') ?? child(shape, 'Fallback') ?? shape)
        case 'pic':
          return this.image(shape)
        case 'graphicFrame':
          return this.frame(shape)
        default:
          return []
      }
    })
  }

  private shape(shape: XmlElement): (Block | ListEntry)[] {
    const body = child(shape, 'txBody')
    if (!body) return []
    const holder = child(shape, 'nvSpPr', 'nvPr', 'ph')
    const kind = holder?.attributes['type'] ?? (holder ? 'body' : '')
    if (/^(dt|ftr|sldNum|hdr)$/.test(kind)) return []
    if (/^(title|ctrTitle)$/.test(kind)) {
      const lines = childrenNamed(body, 'p').map((paragraph) => inlinesOf(paragraph, this.relations))
      const content = normaliseSpace(lines.flatMap((line, index) => (index ? [text(' '), ...line] : line)))
      return isBlank(content) ? [] : [{ type: 'heading', level: kind === 'title' ? 2 : 1, content }]
    }
    return paragraphsOf(body, this.relations, kind === 'body' && childrenNamed(body, 'p').length > 1)
  }

  private image(shape: XmlElement): Block[] {
    const alt = child(shape, 'nvPicPr', 'cNvPr')?.attributes['descr']
    const target = this.targetOf(child(shape, 'blipFill', 'blip'), 'embed')
    const content = image(alt, this.embedImages ? imageUri(this.zip, target) : undefined)
    return content.length ? [paragraph(content)] : []
  }

  private frame(frame: XmlElement): (Block | ListEntry)[] {
    const [table] = descendants(frame, 'tbl')
    if (table) return [this.table(table)]
    const chart = parsedPart(this.zip, this.targetOf(descendants(frame, 'chart')[0], 'id'))
    const diagram = parsedPart(this.zip, this.targetOf(descendants(frame, 'relIds')[0], 'dm'))
    const texts = descendants(diagram, 'pt').map((point) => paragraphsOf(child(point, 't'), this.relations, true))
    return [...(chart ? chartBlocks(chart) : []), ...texts.flat()]
  }

  /** The part to which an attribute of an element relates; empty where there is none. */
  private targetOf(element: XmlElement | undefined, attribute: string): string {
    return this.relations.get(element?.attributes[attribute] ?? '')?.target ?? ''
  }

  private table(table: XmlElement): Table {
    const rows = childrenNamed(table, 'tr').map((row) =>
      childrenNamed(row, 'tc').flatMap((cell): Cell[] => {
        const { gridSpan, rowSpan, hMerge, vMerge } = cell.attributes
        if (hMerge === '1' || vMerge === '1') return []
        const content = withLists(paragraphsOf(child(cell, 'txBody'), this.relations, false))
        const span = (value = '1') => Math.max(1, Number(value) || 1)
        return [{ content, columns: span(gridSpan), rows: span(rowSpan) }]
      }),
    )
    return { type: 'table', headers: Math.min(1, rows.length), rows }
  }

  private notes(): Block[] {
    const part = [...this.relations.values()].find(({ kind }) => kind === 'notesSlide')?.target ?? ''
    const tree = child(parsedPart(this.zip, part), 'cSld', 'spTree')
    const bodies = childrenNamed(tree, 'sp').filter(
      (shape) => child(shape, 'nvSpPr', 'nvPr', 'ph')?.attributes['type'] === 'body',
    )
    const content = bodies
      .flatMap((shape) => this.shape(shape))
      .flatMap((one): Block[] => ('type' in one ? [one] : [...one.content]))
    // notes that have only the number of the slide are empty
    const isFilled = content.some((block) => block.type !== 'paragraph' || !/^\d*$/.test(plainOf(block.content)))
    return isFilled ? [{ type: 'quote', content }] : []
  }
}
