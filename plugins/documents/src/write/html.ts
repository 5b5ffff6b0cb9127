import type { Block, Cell, DocumentTree, Inline, List, Mark, Place, Table } from '../model/blocks.js'
import { normaliseSpace } from '../model/inlines.js'
import type { Fragments } from './fragments.js'
import { asAttribute, asText, separator } from './marks.js'

/** Writes an HTML page without scripts, styles or forms. */
export const writeHtml = ({ blocks, title = '' }: DocumentTree, fragments: Fragments): void => {
  fragments.add('<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n')
  fragments.add(`<title>${asAttribute(title)}</title>`)
  fragments.add('\n</head>\n<body>\n')
  for (const block of blocks) writeBlock(block, fragments)
  fragments.add('</body>\n</html>\n')
}

const writeLine = (fragments: Fragments, line: string, place?: Block | Place): void => {
  fragments.add(line, place)
  fragments.add('\n')
}

const writeBlock = (block: Block, fragments: Fragments): void => {
  switch (block.type) {
    case 'heading': {
      const tag = `h${Math.min(6, Math.max(1, block.level))}`
      writeLine(fragments, `<${tag}>${htmlInline(block.content)}${separator}</${tag}>`, block)
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
      const id = asAttribute(block.label)
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
      writeLine(fragments, `<li>${htmlInline(only.content)}${separator}</li>`, list)
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
    content.length === 1 && only?.type === 'paragraph'
      ? inOneLine(htmlInline(only.content)) + separator
      : content.map(blockInLine).join('')
  return `<${tag}${spans}>${inner}</${tag}>`
}

/** Writes a block in one line, for cells. */
const blockInLine = (block: Block): string => {
  switch (block.type) {
    case 'heading':
      return `<b>${inOneLine(htmlInline(block.content))}${separator}</b><br>`
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
      return `<pre><code>${block.text.split('\n').map(asText).join(`${separator}<br>`)}${separator}</code></pre>`
    case 'paragraph':
      return `<p>${inOneLine(htmlInline(block.content))}${separator}</p>`
    case 'rule':
      return simpleBlock(block)
  }
}

/** Without the line breaks of the source, which are white space. */
const inOneLine = (html: string): string => html.replaceAll('\n', ' ')

const simpleBlock = (block: Block): string => {
  if (block.type === 'paragraph') return `<p>${htmlInline(block.content)}${separator}</p>`
  if (block.type !== 'code') return '<hr>'
  const language = block.language ? ` class="language-${asAttribute(block.language)}"` : ''
  return `<pre><code${language}>${asText(block.text)}${separator}</code></pre>`
}

const tags: Readonly<Record<Mark, string>> = { bold: 'b', italic: 'i', strike: 's', code: 'code' }

const htmlInline = (content: readonly Inline[]): string => inlineHtml(normaliseSpace(content))

const inlineHtml = (content: readonly Inline[]): string =>
  content
    .map((one) => {
      switch (one.type) {
        case 'text':
          return one.marks.reduceRight((inner, mark) => `<${tags[mark]}>${inner}</${tags[mark]}>`, asText(one.text))
        case 'link':
          return `<a href="${asAttribute(one.url)}">${inlineHtml(one.content)}</a>`
        case 'image':
          return `<img alt="${asText(one.alt)}"${one.url ? ` src="${asAttribute(one.url)}"` : ''}>`
        case 'note':
          return `<sup><a href="#note-${asAttribute(one.label)}">[${asAttribute(one.label)}]</a></sup>`
        case 'break':
          return `${separator}<br>`
      }
    })
    .join('')
