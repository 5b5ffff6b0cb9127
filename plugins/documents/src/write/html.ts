import type { Block, Cell, DocumentTree, Inline, List, Mark, Place, Table } from '../model/blocks.js'
import { normaliseSpace, plainOf } from '../model/inlines.js'
import type { Fragments } from './fragments.js'

/** Writes an HTML page without scripts, styles or forms. */
export const writeHtml = ({ blocks, title }: DocumentTree, fragments: Fragments, fallback: string): void => {
  fragments.add('text', '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n')
  fragments.add('text', `<title>${escapeHtml(title ?? fallback)}</title>`)
  fragments.add('text', '\n</head>\n<body>\n')
  writeBlocks(blocks, fragments)
  fragments.add('text', '</body>\n</html>\n')
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const writeBlocks = (blocks: readonly Block[], fragments: Fragments): void => {
  for (const block of blocks) writeBlock(block, fragments)
}

const writeBlock = (block: Block, fragments: Fragments): void => {
  switch (block.type) {
    case 'heading': {
      const tag = `h${Math.min(6, Math.max(1, block.level))}`
      const heading = { level: block.level, title: plainOf(block.content) }
      fragments.add('heading', `<${tag}>${htmlInline(block.content)}</${tag}>`, block, heading)
      fragments.add('gap', '\n')
      return
    }
    case 'list': {
      writeList(block, fragments)
      return
    }
    case 'table':
      for (const row of cellRows(block)) {
        fragments.add('row', row, block)
        fragments.add('gap', '\n')
      }
      return
    case 'quote': {
      writeEnclosed(`<blockquote>`, block.content, '</blockquote>', block, fragments)
      return
    }
    case 'footnote': {
      const id = escapeHtml(block.label)
      writeEnclosed(`<aside id="note-${id}">[${id}]`, block.content, '</aside>', block, fragments)
      return
    }
    default:
      fragments.add('text', simpleBlock(block), block)
      fragments.add('gap', '\n')
  }
}

const writeEnclosed = (
  open: string,
  content: readonly Block[],
  close: string,
  place: Place,
  fragments: Fragments,
): void => {
  fragments.add('text', open, place)
  fragments.add('gap', '\n')
  writeBlocks(content, fragments)
  fragments.add('text', close)
  fragments.add('gap', '\n')
}

const writeList = (list: List, fragments: Fragments): void => {
  const { open, close } = listTags(list)
  fragments.add('text', open, list)
  fragments.add('gap', '\n')
  for (const item of list.items) {
    const [only] = item
    if (item.length === 1 && only?.type === 'paragraph') {
      fragments.add('text', `<li>${htmlInline(only.content)}</li>`, list)
      fragments.add('gap', '\n')
    } else writeEnclosed('<li>', item, '</li>', list, fragments)
  }
  fragments.add('text', close)
  fragments.add('gap', '\n')
}

const listTags = ({ ordered, start }: List) => ({
  open: ordered ? (start === 1 ? '<ol>' : `<ol start="${start}">`) : '<ul>',
  close: ordered ? '</ol>' : '</ul>',
})

/** The lines of an HTML table, with one line per row. */
export const cellRows = ({ rows, headers }: Table): string[] => [
  '<table>',
  ...rows.map((row, index) => `<tr>${row.map((cell) => htmlCell(cell, index < headers)).join('')}</tr>`),
  '</table>',
]

const htmlCell = ({ content, columns, rows }: Cell, header: boolean): string => {
  const tag = header ? 'th' : 'td'
  const spans = `${columns > 1 ? ` colspan="${columns}"` : ''}${rows > 1 ? ` rowspan="${rows}"` : ''}`
  const [only] = content
  const inner =
    content.length === 1 && only?.type === 'paragraph' ? htmlInline(only.content) : content.map(blockInLine).join('')
  return `<${tag}${spans}>${inner.replaceAll('\n', ' ')}</${tag}>`
}

/** Writes a block in one line, for cells. */
const blockInLine = (block: Block): string => {
  switch (block.type) {
    case 'heading':
      return `<b>${htmlInline(block.content)}</b><br>`
    case 'list': {
      const { open, close } = listTags(block)
      return `${open}${block.items.map((item) => `<li>${item.map(blockInLine).join('')}</li>`).join('')}${close}`
    }
    case 'table':
      return cellRows(block).join('')
    case 'quote':
    case 'footnote':
      return `<blockquote>${block.content.map(blockInLine).join('')}</blockquote>`
    case 'code':
      return `<pre><code>${escapeHtml(block.text).replaceAll('\n', '<br>')}</code></pre>`
    default:
      return simpleBlock(block)
  }
}

const simpleBlock = (block: Block): string => {
  if (block.type === 'paragraph') return `<p>${htmlInline(block.content)}</p>`
  if (block.type !== 'code') return '<hr>'
  const language = block.language ? ` class="language-${escapeHtml(block.language)}"` : ''
  return `<pre><code${language}>${escapeHtml(block.text)}</code></pre>`
}

const tags: Readonly<Record<Mark, string>> = { bold: 'b', italic: 'i', strike: 's', code: 'code' }

const htmlInline = (content: readonly Inline[]): string => inlineHtml(normaliseSpace(content))

const inlineHtml = (content: readonly Inline[]): string =>
  content
    .map((one) => {
      switch (one.type) {
        case 'text':
          return one.marks.reduceRight((inner, mark) => `<${tags[mark]}>${inner}</${tags[mark]}>`, escapeHtml(one.text))
        case 'link':
          return `<a href="${escapeHtml(one.url)}">${inlineHtml(one.content)}</a>`
        case 'image':
          return `<img alt="${escapeHtml(one.alt)}"${one.url ? ` src="${escapeHtml(one.url)}"` : ''}>`
        case 'note':
          return `<sup><a href="#note-${escapeHtml(one.label)}">[${escapeHtml(one.label)}]</a></sup>`
        case 'break':
          return '<br>'
      }
    })
    .join('')
