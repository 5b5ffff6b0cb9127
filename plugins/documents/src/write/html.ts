import type { Block, Cell, DocumentTree, Inline, List, Mark, Place, Table } from '../model/blocks.js'
import { normaliseSpace } from '../model/inlines.js'
import type { Fragments } from './fragments.js'

/** Writes an HTML page without scripts, styles or forms. */
export const writeHtml = ({ blocks, title = '' }: DocumentTree, fragments: Fragments): void => {
  fragments.add('<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n')
  fragments.add(`<title>${escapeHtml(title)}</title>`)
  fragments.add('\n</head>\n<body>\n')
  for (const block of blocks) writeBlock(block, fragments)
  fragments.add('</body>\n</html>\n')
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const writeLine = (fragments: Fragments, line: string, place?: Block | Place): void => {
  fragments.add(line, place)
  fragments.add('\n')
}

const writeBlock = (block: Block, fragments: Fragments): void => {
  switch (block.type) {
    case 'heading': {
      const tag = `h${Math.min(6, Math.max(1, block.level))}`
      writeLine(fragments, `<${tag}>${htmlInline(block.content)}</${tag}>`, block)
      break
    }
    case 'list':
      writeList(block, fragments)
      break
    case 'table':
      for (const row of tableLines(block)) writeLine(fragments, row, block)
      break
    case 'quote':
      writeEnclosed(['<blockquote>', '</blockquote>'], block.content, block, fragments)
      break
    case 'footnote': {
      const id = escapeHtml(block.label)
      writeEnclosed([`<aside id="note-${id}">[${id}]`, '</aside>'], block.content, block, fragments)
      break
    }
    default:
      writeLine(fragments, simpleBlock(block), block)
  }
}

type Tags = readonly [start: string, end: string]

const writeEnclosed = ([start, end]: Tags, content: readonly Block[], place: Place, fragments: Fragments): void => {
  writeLine(fragments, start, place)
  for (const block of content) writeBlock(block, fragments)
  writeLine(fragments, end)
}

const writeList = (list: List, fragments: Fragments): void => {
  const [start, end] = listTags(list)
  writeLine(fragments, start, list)
  for (const item of list.items) {
    const [only] = item
    if (item.length === 1 && only?.type === 'paragraph')
      writeLine(fragments, `<li>${htmlInline(only.content)}</li>`, list)
    else writeEnclosed(['<li>', '</li>'], item, list, fragments)
  }
  writeLine(fragments, end)
}

const listTags = ({ ordered, start }: List): Tags =>
  ordered ? [start === 1 ? '<ol>' : `<ol start="${start}">`, '</ol>'] : ['<ul>', '</ul>']

/** The lines of a table, with one line for each row. */
export const tableLines = ({ rows, headers }: Table): string[] => [
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
      const [start, end] = listTags(block)
      return start + block.items.map((item) => `<li>${item.map(blockInLine).join('')}</li>`).join('') + end
    }
    case 'table':
      return tableLines(block).join('')
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
