import { contentsOf } from '@sallyport/core'
import { maxOf } from '@sallyport/kit/lists'
import type { Block, Cell, Code, DocumentTree, List, Place, Table } from '../model/blocks.js'
import { tableLines } from './html.js'
import { markdownInline, markdownLine, noteLabel } from './markdown-inline.js'
import type { Fragments } from './fragments.js'
import { asAttribute, asMarkup, piecesOf, separator, separatorText } from './marks.js'

/** Writes GitHub's Markdown. Tables with merged cells, or with other blocks than paragraphs in cells, become HTML. */
export const writeMarkdown = ({ blocks }: DocumentTree, fragments: Fragments): void => {
  new MarkdownWriter(fragments).blocks(blocks, '')
  fragments.add('\n')
}

class MarkdownWriter {
  /** What precedes the next block in its line, such as a bullet. */
  private lead: string | undefined

  constructor(private readonly fragments: Fragments) {}

  /** @param prefix begins every line but the first */
  blocks(blocks: readonly Block[], prefix: string, tight = false): void {
    let previous: Block | undefined
    for (const block of blocks) {
      if (previous) {
        const blankLine = `\n${prefix.trimEnd()}\n${prefix}`
        const comment = listsTouch(previous, block) ? `<!-- -->${blankLine}` : ''
        this.fragments.add((tight || bothNotes(previous, block) ? `\n${prefix}` : blankLine) + comment)
      }
      this.block(block, prefix, previous)
      previous = block
    }
  }

  private block(block: Block, prefix: string, previous: Block | undefined): void {
    switch (block.type) {
      case 'heading': {
        const level = Math.min(6, Math.max(1, block.level))
        const line = markdownLine(block.content).replace(/(#+)$/, '\\$1')
        this.line(`${'#'.repeat(level)} ${line}`, block)
        break
      }
      case 'paragraph':
        this.lines(markdownInline(block.content), prefix, block)
        break
      case 'list':
        this.list(block, prefix)
        break
      case 'table':
        this.table(block, prefix)
        break
      case 'code':
        this.code(block, prefix)
        break
      case 'quote':
        this.lead = `${this.lead ?? ''}> `
        this.blocks(block.content, `${prefix}> `)
        this.flush(block)
        break
      case 'footnote':
        this.lead = `${this.lead ?? ''}[^${noteLabel(block.label)}]: `
        this.blocks(block.content, `${prefix}    `)
        this.flush(block)
        break
      case 'rule':
        this.line(previous?.type === 'paragraph' ? '***' : '---', block)
    }
  }

  private list({ ordered, start, items }: List, prefix: string): void {
    const tight = items.every((item) => item.every(({ type }, index) => type === (index ? 'list' : 'paragraph')))
    for (const [index, item] of items.entries()) {
      if (index) this.fragments.add(tight ? `\n${prefix}` : `\n${prefix.trimEnd()}\n${prefix}`)
      const bullet = ordered ? `${start + index}. ` : '- '
      this.lead = (this.lead ?? '') + bullet
      this.blocks(item, prefix + ' '.repeat(bullet.length), tight)
      this.flush({})
    }
  }

  private table(table: Table, prefix: string): void {
    const width = maxOf([0, ...table.rows.map((row) => row.length)])
    if (!isPlain(table)) {
      for (const [index, row] of tableLines(table).entries()) {
        if (index) this.fragments.add(`\n${prefix}`)
        this.lines(inMarkdown(row), prefix, table)
      }
      return
    }
    const row = (cells: readonly Cell[]) =>
      `| ${Array.from({ length: width }, (_, column) => cellText(cells[column])).join(' | ')} |`
    const [first = [], ...rest] = table.headers ? table.rows : [[], ...table.rows]
    const ruler = `|${' --- |'.repeat(width)}`
    this.lines(`${row(first)}\n${ruler}`, prefix, table)
    for (const cells of rest) {
      this.fragments.add(`\n${prefix}`)
      this.line(row(cells), table)
    }
  }

  private code({ text, language = '', ...place }: Code, prefix: string): void {
    const fences = (text.match(/^\s*`{3,}/gm) ?? []).map((ticks) => ticks.trim().length)
    const fence = '`'.repeat(1 + maxOf([2, ...fences]))
    this.line(`${fence}${language.replace(/[^\w+#.-]/g, '')}`, place)
    for (const line of text.split('\n')) {
      this.fragments.add(`\n${line ? prefix : prefix.trimEnd()}`)
      this.line(line, place)
    }
    this.fragments.add(`\n${prefix}`)
    this.line(fence, place)
  }

  private lines(text: string, prefix: string, place: Block | Place): void {
    this.line(prefix ? text.replaceAll('\n', `\n${prefix}`) : text, place)
  }

  private line(text: string, place: Block | Place): void {
    const lead = this.lead ?? ''
    this.lead = undefined
    this.fragments.add(lead + text, place)
  }

  /** Writes the lead of a block without content. */
  private flush(place: Place): void {
    if (this.lead !== undefined) this.line('', place)
  }
}

/** Marked HTML as marked Markdown, whose text is not escaped later. */
const inMarkdown = (html: string): string =>
  piecesOf(html, 'markup')
    .map(({ markup = '', text, attribute = '' }) => {
      const written = contentsOf({ text }, 'html') + (text.endsWith(separatorText) ? separator : '')
      return asMarkup(markup) + written + asAttribute(contentsOf({ text: '', attribute }, 'html'))
    })
    .join('')

const bothNotes = (one: Block, other: Block) => one.type === 'footnote' && other.type === 'footnote'

/** Whether two lists would be read as one. */
const listsTouch = (one: Block, other: Block) =>
  one.type === 'list' && other.type === 'list' && one.ordered === other.ordered

const isPlain = ({ rows, headers }: Table): boolean => {
  const isPlainCell = (cell: Cell) => cell.columns === 1 && cell.rows === 1 && cell.content.every(isLine)
  return headers <= 1 && rows.every((row) => row.every(isPlainCell))
}

const isLine = (block: Block) => block.type === 'paragraph' || block.type === 'heading'

const cellText = (cell: Cell | undefined): string =>
  (cell?.content ?? [])
    .map((block) => (isLine(block) ? markdownLine(block.content) : ''))
    .filter(Boolean)
    .join('<br>')
    .replaceAll('|', '\\|')
