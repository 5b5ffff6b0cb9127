import { append } from '@sallyport/kit/lists'
import { coreTitle, mainPart, parsedPart, imageUri, relationsOf } from '../../container/package.js'
import { child, childrenNamed, descendants, elementsOf } from '../../container/xml.js'
import type { XmlElement } from '../../container/xml.js'
import type { Zip } from '../../container/zip.js'
import type { Block, Cell, DocumentTree, Heading, Table } from '../../model/blocks.js'
import { isBlank, image, plainOf, text, normaliseSpace } from '../../model/inlines.js'
import { withLists } from '../../model/lists.js'
import type { ListEntry } from '../../model/lists.js'
import { DocumentProblem } from '../../problem.js'
import type { PackedReader } from '../source.js'
import { chartBlocks } from './chart.js'
import { inlinesOf, paragraphsOf } from './text.js'
import type { Relations } from './text.js'

/** Reads each slide as a page: its title, the text of its shapes, and the speaker's notes as a quotation. */
export const readPptx: PackedReader = ({ embedImages, limits }, zip): DocumentTree => {
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
    const tree = child(slide, 'cSld', 'spTree')
    const blocks = withLists(tree ? this.shapes(tree) : [])
    const titles = blocks.filter(({ type }) => type === 'heading')
    const others = blocks.filter(({ type }) => type !== 'heading')
    return [...titles, ...others, ...this.notes()].map((block) => ({ ...block, page }))
  }

  private shapes(tree: XmlElement): (Block | ListEntry)[] {
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
    const target = this.relations.get(child(shape, 'blipFill', 'blip')?.attributes['embed'] ?? '')?.target
    const url = this.embedImages && target ? imageUri(this.zip, target) : undefined
    const content = image(alt, url)
    return content.length ? [{ type: 'paragraph', content }] : []
  }

  private frame(frame: XmlElement): (Block | ListEntry)[] {
    const [table] = descendants(frame, 'tbl')
    if (table) return [this.table(table)]
    const blocks: (Block | ListEntry)[] = []
    const [chart] = descendants(frame, 'chart')
    const charted = chart && parsedPart(this.zip, this.relations.get(chart.attributes['id'] ?? '')?.target ?? '')
    if (charted) append(blocks, chartBlocks(charted))
    const [diagram] = descendants(frame, 'relIds')
    const drawn = diagram && parsedPart(this.zip, this.relations.get(diagram.attributes['dm'] ?? '')?.target ?? '')
    for (const point of drawn ? descendants(drawn, 'pt') : []) {
      const body = child(point, 't')
      if (body) append(blocks, paragraphsOf(body, this.relations, true))
    }
    return blocks
  }

  private table(table: XmlElement): Table {
    const rows = childrenNamed(table, 'tr').map((row) =>
      childrenNamed(row, 'tc').flatMap((cell): Cell[] => {
        const { gridSpan, rowSpan, hMerge, vMerge } = cell.attributes
        if (hMerge === '1' || vMerge === '1') return []
        const body = child(cell, 'txBody')
        const content = body ? withLists(paragraphsOf(body, this.relations, false)) : []
        return [
          { content, columns: Math.max(1, Number(gridSpan ?? 1) || 1), rows: Math.max(1, Number(rowSpan ?? 1) || 1) },
        ]
      }),
    )
    return { type: 'table', headers: Math.min(1, rows.length), rows }
  }

  private notes(): Block[] {
    const part = [...this.relations.values()].find(({ kind }) => kind === 'notesSlide')?.target
    const tree = part === undefined ? undefined : child(parsedPart(this.zip, part), 'cSld', 'spTree')
    const bodies = childrenNamed(tree, 'sp').filter(
      (shape) => child(shape, 'nvSpPr', 'nvPr', 'ph')?.attributes['type'] === 'body',
    )
    const content = bodies
      .flatMap((shape) => this.shape(shape))
      .flatMap((one): Block[] => ('type' in one ? [one] : [...one.content]))
    return content.some((block) => block.type !== 'paragraph' || saysSomething(plainOf(block.content)))
      ? [{ type: 'quote', content }]
      : []
  }
}

/** Whether notes have more text than the number of the slide. */
const saysSomething = (content: string): boolean => !/^\d*$/.test(content)
