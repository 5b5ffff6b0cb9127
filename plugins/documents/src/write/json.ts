import type { Block, DocumentTree, Inline, Place, Table } from '../model/blocks.js'
import { plainOf } from '../model/inlines.js'
import type { Fragments } from './fragments.js'
import { asAttribute, asText, separator } from './marks.js'

/** Writes `{ title, pages?, blocks }`, with each block and each row of a table on a line. */
export const writeJson = ({ title = '', pages, blocks }: DocumentTree, fragments: Fragments): void => {
  fragments.add('{')
  fragments.add(`"title":${jsonOf(asAttribute(title))}`)
  if (pages?.length) fragments.add(`,\n"pages":${JSON.stringify(pages)}`)
  fragments.add(',\n"blocks":[')
  for (const [index, block] of blocks.entries()) {
    fragments.add(index ? ',\n' : '\n')
    writeBlock(block, fragments)
  }
  fragments.add('\n]}\n')
}

const writeBlock = (block: Block, fragments: Fragments): void => {
  if (block.type === 'table') {
    const open = JSON.stringify({ type: 'table', ...placeOf(block), headers: block.headers, rows: [] })
    fragments.add(open.slice(0, -2))
    for (const [index, row] of plainRows(block.rows).entries()) {
      fragments.add(index ? ',\n' : '\n')
      fragments.add(jsonOf(row), block)
    }
    fragments.add(']}')
  } else fragments.add(jsonOf(plainBlock(block)), block)
}

/** JSON of marked strings, which are escaped later, and types, which need no escapes. */
const jsonOf = (value: unknown): string => {
  if (typeof value === 'string') return `"${value}"`
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, inner]) => `"${key}":${jsonOf(inner)}`)
    .join(',')}}`
}

const placeOf = ({ page, box }: Place) => ({ ...(page !== undefined && { page }), ...(box && { box }) })

const plainRows = (rows: Table['rows']) =>
  rows.map((row) =>
    row.map(({ content, columns, rows: high }) => ({
      ...(columns > 1 && { columns }),
      ...(high > 1 && { rows: high }),
      blocks: content.map(plainBlock),
    })),
  )

const plainBlock = (block: Block): object => ({ type: block.type, ...fieldsOf(block), ...placeOf(block) })

const fieldsOf = (block: Block): object => {
  switch (block.type) {
    case 'heading':
      return { level: block.level, ...inlines(block.content) }
    case 'paragraph':
      return inlines(block.content)
    case 'list': {
      const items = block.items.map((item) => item.map(plainBlock))
      return { ordered: block.ordered, ...(block.ordered && { start: block.start }), items }
    }
    case 'table':
      return { headers: block.headers, rows: plainRows(block.rows) }
    case 'code':
      return { text: asText(block.text) + separator, ...(block.language && { language: asAttribute(block.language) }) }
    case 'quote':
      return { blocks: block.content.map(plainBlock) }
    case 'footnote':
      return { label: asAttribute(block.label), blocks: block.content.map(plainBlock) }
    case 'rule':
      return {}
  }
}

/** The text, with its links, images and notes. */
const inlines = (content: readonly Inline[]) => {
  const links: { text: string; url: string }[] = []
  const images: { alt: string; url?: string }[] = []
  const notes: string[] = []
  const visit = (list: readonly Inline[]): void => {
    for (const one of list) {
      if (one.type === 'link') {
        links.push({ text: asAttribute(plainOf(one.content)), url: asAttribute(one.url) })
        visit(one.content)
      } else if (one.type === 'image')
        images.push({ alt: asAttribute(one.alt), ...(one.url && { url: asAttribute(one.url) }) })
      else if (one.type === 'note') notes.push(asAttribute(one.label))
    }
  }
  visit(content)
  return {
    text: asText(plainOf(content)) + separator,
    ...(links.length && { links }),
    ...(images.length && { pictures: images }),
    ...(notes.length && { notes }),
  }
}
