import type { Block, DocumentTree, Inline, Place } from '../model/blocks.js'
import { plainOf } from '../model/inlines.js'
import type { Fragments } from './fragments.js'

/** Writes `{ title, pages?, blocks }`, with each block and each row of a table on a line. */
export const writeJson = (
  { title, pages: sizes, blocks }: DocumentTree,
  fragments: Fragments,
  fallback: string,
): void => {
  fragments.add('gap', '{')
  fragments.add('text', `"title":${JSON.stringify(title ?? fallback)}`)
  if (sizes?.length) fragments.add('text', `,\n"pages":${JSON.stringify(sizes)}`)
  fragments.add('gap', ',\n"blocks":[')
  for (const [index, block] of blocks.entries()) {
    fragments.add('gap', index ? ',\n' : '\n')
    writeBlock(block, fragments)
  }
  fragments.add('gap', '\n]}\n')
}

const writeBlock = (block: Block, fragments: Fragments): void => {
  if (block.type === 'heading') {
    const heading = { level: block.level, title: plainOf(block.content) }
    fragments.add('heading', JSON.stringify(plainBlock(block)), block, heading)
  } else if (block.type === 'table') {
    const open = JSON.stringify({ type: 'table', ...placeOf(block), headers: block.headers, rows: [] })
    fragments.add('gap', open.slice(0, -2))
    for (const [index, row] of plainRows(block.rows).entries()) {
      fragments.add('gap', index ? ',\n' : '\n')
      fragments.add('row', JSON.stringify(row), block)
    }
    fragments.add('gap', ']}')
  } else fragments.add('text', JSON.stringify(plainBlock(block)), block)
}

const placeOf = ({ page, box }: Place) => ({ ...(page !== undefined && { page }), ...(box && { box }) })

const plainRows = (rows: Extract<Block, { type: 'table' }>['rows']) =>
  rows.map((row) =>
    row.map(({ content, columns, rows: high }) => ({
      ...(columns > 1 && { columns }),
      ...(high > 1 && { rows: high }),
      blocks: content.map(plainBlock),
    })),
  )

const plainBlock = (block: Block): object => {
  const { type } = block
  switch (type) {
    case 'heading':
      return { type, level: block.level, ...inlines(block.content), ...placeOf(block) }
    case 'paragraph':
      return { type, ...inlines(block.content), ...placeOf(block) }
    case 'list': {
      const { ordered, start, items } = block
      const listed = items.map((item) => item.map(plainBlock))
      return { type, ordered, ...(ordered && { start }), items: listed, ...placeOf(block) }
    }
    case 'table':
      return { type, headers: block.headers, rows: plainRows(block.rows), ...placeOf(block) }
    case 'code':
      return { type, text: block.text, ...(block.language && { language: block.language }), ...placeOf(block) }
    case 'quote':
      return { type, blocks: block.content.map(plainBlock), ...placeOf(block) }
    case 'footnote':
      return { type, label: block.label, blocks: block.content.map(plainBlock), ...placeOf(block) }
    case 'rule':
      return { type, ...placeOf(block) }
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
        links.push({ text: plainOf(one.content), url: one.url })
        visit(one.content)
      } else if (one.type === 'image') images.push({ alt: one.alt, ...(one.url && { url: one.url }) })
      else if (one.type === 'note') notes.push(one.label)
    }
  }
  visit(content)
  return {
    text: plainOf(content),
    ...(links.length && { links }),
    ...(images.length && { pictures: images }),
    ...(notes.length && { notes }),
  }
}
