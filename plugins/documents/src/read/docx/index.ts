import { coreTitle, mainPart, parsedPart, imageUri, relationsOf } from '../../container/package.js'
import type { Relation } from '../../container/package.js'
import { child, childrenNamed, elementsOf } from '../../container/xml.js'
import type { XmlElement } from '../../container/xml.js'
import type { Zip } from '../../container/zip.js'
import type { Block, Cell, DocumentTree, Footnote, Table } from '../../model/blocks.js'
import { isBlank, normaliseSpace, paragraph, plainOf } from '../../model/inlines.js'
import { withLists } from '../../model/lists.js'
import type { ListEntry } from '../../model/lists.js'
import { headingTitle, withHeadersAndFooters } from '../../model/nested-blocks.js'
import { DocumentProblem } from '../../problem.js'
import type { ContainerReader } from '../source.js'
import { paragraphContent } from './paragraph.js'
import type { ParagraphContext } from './paragraph.js'
import { outlineOf, readNumbering, readStyles, headerOrFooterParts, valueOf } from './styles.js'

/** Reads the body, notes, headers and footers of a document; comments and deleted text are left out. */
export const readDocx: ContainerReader = ({ embedImages }, zip): DocumentTree => {
  const part = mainPart(zip) ?? ''
  const body = child(parsedPart(zip, part), 'body')
  if (!body) throw new DocumentProblem('its main part is missing: save it again as docx')
  const shared = { style: readStyles(zip), numbering: readNumbering(zip) }
  const reader = new DocxReader(zip, part, embedImages, shared)
  const blocks = [...reader.blocks(body), ...reader.notes()]
  const title = coreTitle(zip) ?? reader.title ?? headingTitle(blocks)
  const running = (kind: 'header' | 'footer') =>
    headerOrFooterParts(zip, part, body, kind).map((name) =>
      new DocxReader(zip, name, embedImages, shared).blocks(parsedPart(zip, name)),
    )
  return { ...(title && { title }), blocks: withHeadersAndFooters(running('header'), blocks, running('footer')) }
}

/** Styles and numbering, which all parts of a document share. */
interface SharedParts {
  readonly style: ReturnType<typeof readStyles>
  readonly numbering: ReturnType<typeof readNumbering>
}

class DocxReader {
  /** The text of the first paragraph with the style `Title`. */
  title: string | undefined
  private readonly style
  private readonly numberOf
  private readonly context: ParagraphContext
  /** Those of the part that is being read. */
  private relations: ReadonlyMap<string, Relation>
  private readonly labels = new Map<string, { label: string; kind: 'footnote' | 'endnote'; id: string }>()

  constructor(
    private readonly zip: Zip,
    part: string,
    embedImages: boolean,
    { style, numbering }: SharedParts,
  ) {
    this.style = style
    this.numberOf = numbering()
    this.relations = relationsOf(zip, part)
    this.context = {
      style,
      link: (id) => {
        const relation = this.relations.get(id)
        return relation?.kind === 'hyperlink' ? relation.target : undefined
      },
      image: (id) => (embedImages ? imageUri(zip, this.relations.get(id)?.target ?? '') : undefined),
      note: (kind, id) => this.note(kind, id),
    }
  }

  blocks(parent: XmlElement | undefined): Block[] {
    return joinCode(withLists(this.sequence(parent)))
  }

  /** The notes with references, in the order of the first reference. */
  notes(): Footnote[] {
    const notes = { footnote: this.notesIn('footnote'), endnote: this.notesIn('endnote') }
    const blocks: Footnote[] = []
    // notes may refer to further notes, which are added to the map meanwhile
    for (const { label, kind, id } of this.labels.values()) {
      const { relations, byId } = notes[kind]
      const note = byId.get(id)
      this.relations = relations
      if (note) blocks.push({ type: 'footnote', label, content: this.blocks(note) })
    }
    return blocks
  }

  /** The notes of a kind by their ids, and the relations of their part. */
  private notesIn(kind: 'footnote' | 'endnote') {
    const part = `word/${kind}s.xml`
    const notes = childrenNamed(parsedPart(this.zip, part), kind)
    // of several notes with one id, the first wins
    const byId = new Map(notes.toReversed().map((note) => [note.attributes['id'], note]))
    return { byId, relations: relationsOf(this.zip, part) }
  }

  private note(kind: 'footnote' | 'endnote', id: string): string {
    const key = `${kind} ${id}`
    const known = this.labels.get(key) ?? { label: String(this.labels.size + 1), kind, id }
    this.labels.set(key, known)
    return known.label
  }

  private sequence(parent: XmlElement | undefined): (Block | ListEntry)[] {
    return elementsOf(parent).flatMap((element): (Block | ListEntry)[] => {
      switch (element.name) {
        case 'p':
          return this.paragraph(element)
        case 'tbl':
          return [this.table(element)]
        case 'sdt':
          return this.sequence(child(element, 'sdtContent') ?? element)
        case 'AlternateContent':
          return this.sequence(child(element, 'Choice') ?? element)
        case 'oMathPara':
          return this.paragraph({ ...element, name: 'p', children: [element] })
        case 'ins':
        case 'moveTo':
        case 'customXml':
        case 'smartTag':
          return this.sequence(element)
        default:
          return []
      }
    })
  }

  private paragraph(element: XmlElement): (Block | ListEntry)[] {
    const properties = child(element, 'pPr')
    const style = this.style(valueOf(properties, 'pStyle'))
    const { content: raw, boxes } = paragraphContent(element, this.context)
    const content = normaliseSpace(raw)
    const numbered = this.numberOf(mergedNumbering(child(properties, 'numPr'), style?.numbering))
    const own = valueOf(properties, 'outlineLvl')
    const level = own === undefined ? style?.outline : outlineOf(own)
    const after = boxes.flatMap((box) => this.blocks(box))
    if (isBlank(content)) return after
    if (/^title$/i.test(style?.name ?? '')) {
      this.title ??= plainOf(content)
      return [{ type: 'heading', level: 1, content }, ...after]
    }
    if (level !== undefined) return [{ type: 'heading', level, content }, ...after]
    if (/\b(source code|code|html preformatted|macro)\b/i.test(style?.name ?? '')) {
      const lines = raw.map((one) => (one.type === 'text' ? one.text : one.type === 'break' ? '\n' : plainOf([one])))
      return [{ type: 'code', text: lines.join('') }, ...after]
    }
    const block = paragraph(content)
    if (numbered) return [{ ...numbered, content: [block] }, ...after]
    const isQuote = /\bquote\b|block text/i.test(style?.name ?? '')
    return [isQuote ? { type: 'quote', content: [block] } : block, ...after]
  }

  private table(element: XmlElement): Table {
    const rows = tableParts(element, 'tr')
    const open = new Map<number, { rows: number }>()
    const cells = rows.map((row): Cell[] => {
      let column = Number(valueOf(child(row, 'trPr'), 'gridBefore') ?? 0) || 0
      const found: Cell[] = []
      for (const cell of tableParts(row, 'tc')) {
        const properties = child(cell, 'tcPr')
        const columns = Math.min(1000, Math.max(1, Number(valueOf(properties, 'gridSpan') ?? 1) || 1))
        const merge = child(properties, 'vMerge')
        const above = open.get(column)
        if (merge && merge.attributes['val'] !== 'restart' && above) above.rows += 1
        else {
          const made = { content: this.blocks(cell), columns, rows: 1 }
          found.push(made)
          if (merge) open.set(column, made)
          else open.delete(column)
        }
        column += columns
      }
      return found
    })
    const headers = rows.findIndex((row) => !child(row, 'trPr', 'tblHeader'))
    const min = Math.min(1, rows.length - 1)
    return { type: 'table', headers: headers < 0 ? rows.length : Math.max(headers, min), rows: cells }
  }
}

/** The rows or cells of a table, including those inside content controls and tracked changes. */
const tableParts = (element: XmlElement, name: string): XmlElement[] =>
  elementsOf(element).flatMap((one) => {
    if (one.name === name) return [one]
    return ['sdt', 'sdtContent', 'ins', 'customXml', 'moveTo'].includes(one.name) ? tableParts(one, name) : []
  })

/** Merges numbering properties: a paragraph may have the level only, and its style the list. */
const mergedNumbering = (own: XmlElement | undefined, styled: XmlElement | undefined): XmlElement | undefined =>
  own && styled ? { ...own, children: [...own.children, ...styled.children] } : (own ?? styled)

/** Joins adjacent code blocks, because Word has a paragraph for each line of code. */
const joinCode = (blocks: readonly Block[]): Block[] => {
  const result: Block[] = []
  for (const block of blocks) {
    const last = result.at(-1)
    if (block.type === 'code' && last?.type === 'code')
      result[result.length - 1] = { ...last, text: `${last.text}\n${block.text}` }
    else result.push(block)
  }
  return result
}
