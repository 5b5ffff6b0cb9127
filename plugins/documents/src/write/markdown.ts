import { maxOf } from '@sallyport/kit/lists'
import type { Block, Cell, DocumentTree, List, Place, Table } from '../model/blocks.js'
import { plainOf } from '../model/inlines.js'
import { cellRows } from './html.js'
import { markdownInline, markdownLine, noteLabel } from './markdown-inline.js'
import type { Fragments } from './fragments.js'

/**
 * Writes GitHub's Markdown. Tables with merged cells, or with blocks other than lines in cells, are written as HTML.
 */
export const writeMarkdown = ({ blocks }: DocumentTree, fragments: Fragments): void => {
  new MarkdownWriter(fragments).blocks(blocks, '')
  fragments.add('gap', '\n')
}

class MarkdownWriter {
  /** The start of the current line before the next block, usually a bullet. */
  private lead: string | undefined

  constructor(private readonly fragments: Fragments) {}

  /** @param prefix begins every line but the first */
  blocks(blocks: readonly Block[], prefix: string, tight = false): void {
    let previous: Block | undefined
    for (const block of blocks) {
      if (previous) {
        const separator = tight || bothNotes(previous, block) ? `\n${prefix}` : `\n${prefix.trimEnd()}\n${prefix}`
        this.fragments.add(
          'gap',
          separator + (listsTouch(previous, block) ? `<!-- -->\n${prefix.trimEnd()}\n${prefix}` : ''),
        )
      }
      this.block(block, prefix, previous)
      previous = block
    }
  }

  private block(block: Block, prefix: string, previous?: Block): void {
    switch (block.type) {
      case 'heading': {
        const title = plainOf(block.content)
        const level = Math.min(6, Math.max(1, block.level))
        const line = markdownLine(block.content).replace(/(#+)$/, '\\$1')
        this.line('heading', `${'#'.repeat(level)} ${line}`, block, { level: block.level, title })
        return
      }
      case 'paragraph': {
        this.lines('text', markdownInline(block.content), prefix, block)
        return
      }
      case 'list': {
        this.list(block, prefix)
        return
      }
      case 'table': {
        this.table(block, prefix)
        return
      }
      case 'code': {
        this.code(block.text, block.language ?? '', prefix, block)
        return
      }
      case 'quote': {
        this.lead = `${this.lead ?? ''}> `
        this.blocks(block.content, `${prefix}> `)
        return
      }
      case 'footnote': {
        this.lead = `${this.lead ?? ''}[^${noteLabel(block.label)}]: `
        this.blocks(block.content, `${prefix}    `)
        this.flush(block)
        return
      }
      case 'rule': {
        this.line('text', previous?.type === 'paragraph' ? '***' : '---', block)
        return
      }
    }
  }

  private list({ ordered, start, items }: List, prefix: string): void {
    const tight = items.every((item) => item.every(({ type }, index) => type === (index ? 'list' : 'paragraph')))
    for (const [index, item] of items.entries()) {
      if (index) this.fragments.add('gap', tight ? `\n${prefix}` : `\n${prefix.trimEnd()}\n${prefix}`)
      const bullet = ordered ? `${start + index}. ` : '- '
      this.lead = (this.lead ?? '') + bullet
      this.blocks(item, prefix + ' '.repeat(bullet.length), tight)
      this.flush({})
    }
  }

  private table(table: Table, prefix: string): void {
    const width = maxOf(
      table.rows.map((row) => row.length),
      0,
    )
    if (!isPlain(table)) {
      for (const [index, row] of cellRows(table).entries()) {
        if (index) this.fragments.add('gap', `\n${prefix}`)
        this.lines('row', row, prefix, table)
      }
      return
    }
    const row = (cells: readonly Cell[]) =>
      `| ${Array.from({ length: width }, (_, column) => cellText(cells[column])).join(' | ')} |`
    const [first = [], ...rest] = table.headers ? table.rows : [[], ...table.rows]
    const ruler = `|${' --- |'.repeat(width)}`
    this.lines('row', `${row(first)}\n${ruler}`, prefix, table)
    for (const cells of rest) {
      this.fragments.add('gap', `\n${prefix}`)
      this.line('row', row(cells), table)
    }
  }

  private code(code: string, language: string, prefix: string, place: Place): void {
    const longest = maxOf(
      (code.match(/^\s*`{3,}/gm) ?? []).map((ticks) => ticks.trim().length),
      2,
    )
    const fence = '`'.repeat(longest + 1)
    this.line('text', `${fence}${language.replace(/[^\w+#.-]/g, '')}`, place)
    for (const line of code.split('\n')) {
      this.fragments.add('gap', `\n${line ? prefix : prefix.trimEnd()}`)
      this.line('text', line, place)
    }
    this.fragments.add('gap', `\n${prefix}`)
    this.line('text', fence, place)
  }

  private lines(kind: 'text' | 'row', text: string, prefix: string, place: Place): void {
    this.line(kind, prefix ? text.replaceAll('\n', `\n${prefix}`) : text, place)
  }

  private line(
    kind: 'heading' | 'text' | 'row',
    text: string,
    place: Place,
    heading?: { level: number; title: string },
  ) {
    const lead = this.lead ?? ''
    this.lead = undefined
    this.fragments.add(kind, lead + text, place, heading)
  }

  /** Writes the bullet of an item without content. */
  private flush(place: Place): void {
    if (this.lead !== undefined) this.line('text', '', place)
  }
}

const bothNotes = (one: Block, other: Block) => one.type === 'footnote' && other.type === 'footnote'

/** Two lists in a row would be read as one. */
const listsTouch = (one: Block, other: Block) =>
  one.type === 'list' && other.type === 'list' && one.ordered === other.ordered

const isPlain = ({ rows, headers }: Table): boolean =>
  headers <= 1 &&
  rows.every((row) =>
    row.every(
      ({ columns, rows: high, content }) =>
        columns === 1 && high === 1 && content.every(({ type }) => type === 'paragraph' || type === 'heading'),
    ),
  )

const cellText = (cell: Cell | undefined): string =>
  (cell?.content ?? [])
    .map((block) => (block.type === 'paragraph' || block.type === 'heading' ? markdownLine(block.content) : ''))
    .filter(Boolean)
    .join('<br>')
    .replaceAll('|', '\\|')
