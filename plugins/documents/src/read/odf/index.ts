import { maxOf } from '@sallyport/kit/lists'
import { meaningfulTitle, parsedPart, imageUri } from '../../container/package.js'
import { child, childrenNamed, descendants, elementsOf, xmlText } from '../../container/xml.js'
import type { XmlElement } from '../../container/xml.js'
import type { Zip } from '../../container/zip.js'
import type { Block, Cell, DocumentTree, Footnote, Table } from '../../model/blocks.js'
import { listStart } from '../../model/lists.js'
import { isBlank, normaliseSpace, paragraph, text } from '../../model/inlines.js'
import { headingsFirst, headingTitle, withHeadersAndFooters } from '../../model/nested-blocks.js'
import { DocumentProblem } from '../../problem.js'
import type { ContainerReader } from '../source.js'
import { odfStyles, repetitions, rowsIn, headersOrFooters } from './styles.js'
import type { OdfStyles } from './styles.js'
import { frameInlines, odfInlines } from './text.js'

/** Reads texts, sheets and slides of OpenDocument. */
export const readOdf: ContainerReader = ({ embedImages }, zip): DocumentTree => {
  const content = parsedPart(zip, 'content.xml')
  const [body] = elementsOf(child(content, 'body'))
  if (!content || !body) throw new DocumentProblem('its content is missing: save it again')
  const shared = parsedPart(zip, 'styles.xml')
  const reader = new OdfReader(odfStyles([content, shared]), zip, embedImages)
  const blocks = body.name === 'spreadsheet' ? reader.sheets(body) : reader.blocks(body)
  const running = (kind: 'header' | 'footer') =>
    body.name === 'text' ? headersOrFooters([content, shared], kind).map((one) => reader.blocks(one)) : []
  const meta = parsedPart(zip, 'meta.xml')
  const ownTitle = meaningfulTitle(xmlText(child(meta, 'meta', 'title')))
  const title = ownTitle ?? (body.name === 'spreadsheet' ? undefined : headingTitle(blocks))
  const withNotes = [...blocks, ...reader.notes]
  return { ...(title && { title }), blocks: withHeadersAndFooters(running('header'), withNotes, running('footer')) }
}

/** Max repetitions: sheets repeat empty columns and rows to their edge. */
const maxRepeated = 1000
const maxCells = 2_000_000

class OdfReader {
  readonly notes: Footnote[] = []
  private cells = 0

  constructor(
    private readonly styles: OdfStyles,
    private readonly zip: Zip,
    private readonly embedImages: boolean,
  ) {}

  sheets(body: XmlElement): Block[] {
    return childrenNamed(body, 'table').flatMap((table, index) => {
      const read = this.table(table)
      if (read.rows.length === 0) return []
      const heading: Block = { type: 'heading', level: 1, content: [text(table.attributes['name'] ?? '')] }
      return [heading, read].map((block) => ({ ...block, page: index + 1 }))
    })
  }

  blocks(parent: XmlElement | undefined): Block[] {
    let page = 0
    return elementsOf(parent).flatMap((element): Block[] => {
      if (element.name !== 'page') return this.block(element)
      page += 1
      return this.slide(element).map((block) => ({ ...block, page }))
    })
  }

  private block(element: XmlElement): Block[] {
    switch (element.name) {
      case 'h':
        return this.paragraph(element, Number(element.attributes['outline-level'] ?? 1) || 1)
      case 'p':
        return this.paragraph(element)
      case 'list':
        return this.list(element, 1, element.attributes['style-name'])
      case 'table':
        return [this.table(element)].filter(({ rows }) => rows.length)
      case 'tracked-changes':
      case 'notes':
      case 'forms':
      case 'sequence-decls':
      case 'annotation':
        return []
      case 'frame':
      case 'custom-shape':
        return this.frame(element)
      default:
        return this.blocks(element)
    }
  }

  private paragraph(element: XmlElement, level?: number): Block[] {
    const boxes: XmlElement[] = []
    const names = this.styles.names(element.attributes['style-name'])
    const named = (pattern: RegExp) => names.some((name) => pattern.test(name))
    const heading = level ?? (named(/^title$/i) ? 1 : undefined)
    const marks = heading === undefined ? this.styles.marks(element.attributes['style-name']) : []
    const raw = odfInlines(element, this.inlineContext(boxes), marks)
    const after = boxes.flatMap((box) => this.blocks(box))
    const content = normaliseSpace(raw)
    if (isBlank(content)) return after
    if (heading !== undefined) return [{ type: 'heading', level: heading, content }, ...after]
    if (named(/^preformatted[ _]/i))
      return [{ type: 'code', text: raw.map((one) => (one.type === 'text' ? one.text : '\n')).join('') }, ...after]
    const block = paragraph(content)
    return [named(/^quotations?$/i) ? { type: 'quote', content: [block] } : block, ...after]
  }

  private inlineContext(boxes: XmlElement[]) {
    return {
      styles: this.styles,
      boxes,
      image: (href: string) => this.image(href),
      note: (note: XmlElement) => this.note(note),
    }
  }

  private image(href: string): string | undefined {
    return this.embedImages ? imageUri(this.zip, href.replace(/^\.\//, '')) : undefined
  }

  private note(note: XmlElement): string {
    const place = this.notes.length
    const label = String(place + 1)
    // takes its place before notes in it
    this.notes.push({ type: 'footnote', label, content: [] })
    this.notes[place] = { type: 'footnote', label, content: this.blocks(child(note, 'note-body')) }
    return label
  }

  private list(element: XmlElement, level: number, style: string | undefined): Block[] {
    const start = listStart(Number(childrenNamed(element, 'list-item')[0]?.attributes['start-value'] ?? 1))
    const items = elementsOf(element).map((item) =>
      elementsOf(item).flatMap((one) =>
        one.name === 'list' ? this.list(one, level + 1, one.attributes['style-name'] ?? style) : this.block(one),
      ),
    )
    const filled = items.filter((item) => item.length)
    if (filled.length === 0) return []
    // some programs number headings by putting them into lists
    const isHeading = (item: readonly Block[]) =>
      item[0]?.type === 'heading' && item.every(({ type }) => type === 'heading' || type === 'list')
    if (filled.every(isHeading)) return filled.flat()
    return [{ type: 'list', ordered: this.styles.ordered(style, level), start, items: filled }]
  }

  private table(table: XmlElement): Table {
    const rows: Cell[][] = []
    let headers = 0
    for (const { row, header } of rowsIn(table)) {
      const cells = this.row(row)
      if (cells.every(({ content }) => content.length === 0) && !cells.some((cell) => cell.rows > 1)) continue
      const times = Math.min(repetitions(row, 'number-rows-repeated'), maxRepeated)
      for (let time = 0; time < times; time++) rows.push(cells)
      this.cells += times * cells.length
      if (this.cells > maxCells)
        throw new DocumentProblem(`its tables have more than ${maxCells / 1e6} million cells: split it`)
      if (header) headers = rows.length
    }
    return { type: 'table', headers: Math.max(headers, Math.min(1, rows.length)), rows: trimEmptyCells(rows) }
  }

  private row(row: XmlElement): Cell[] {
    return elementsOf(row).flatMap((cell): Cell[] => {
      if (cell.name !== 'table-cell') return []
      const content = this.blocks(cell)
      const [columns, rows] = [repetitions(cell, 'number-columns-spanned'), repetitions(cell, 'number-rows-spanned')]
      const times = Math.min(repetitions(cell, 'number-columns-repeated'), maxRepeated)
      return Array.from({ length: times }, () => ({ content, columns: Math.min(columns, maxRepeated), rows }))
    })
  }

  private slide(page: XmlElement): Block[] {
    const blocks = elementsOf(page).flatMap((element) => this.block(element))
    const notes = childrenNamed(page, 'notes').flatMap((one) => this.blocks(one))
    return [...headingsFirst(blocks), ...(notes.length ? [{ type: 'quote' as const, content: notes }] : [])]
  }

  private frame(frame: XmlElement): Block[] {
    const kind = frame.attributes['class'] ?? ''
    if (/^(page-number|date-time|footer|header)$/.test(kind)) return []
    const boxes: XmlElement[] = []
    const images = normaliseSpace(frameInlines(frame, this.inlineContext(boxes)))
    const tables = descendants(frame, 'table').map((table) => this.table(table))
    const blocks = [...boxes.flatMap((box) => this.blocks(box)), ...tables]
    if (kind === 'title') {
      const lines = blocks.flatMap((block) => (block.type === 'paragraph' ? [...block.content, text(' ')] : []))
      const content = normaliseSpace(lines)
      if (!isBlank(content)) return [{ type: 'heading', level: 2, content }]
    }
    return images.length ? [...blocks, paragraph(images)] : blocks
  }
}

/** Removes cells at the right of the last column that is not empty. */
const trimEmptyCells = (rows: readonly (readonly Cell[])[]): (readonly Cell[])[] => {
  const isFilled = (cell: Cell) => cell.content.length > 0 || cell.rows > 1
  const width = maxOf([0, ...rows.map((row) => row.findLastIndex(isFilled) + 1)])
  return rows.map((row) => row.slice(0, width))
}
