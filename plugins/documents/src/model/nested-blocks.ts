import type { Block, Inline } from './blocks.js'
import { plainOf } from './inlines.js'

/** The blocks inside a block: those of each item, cell or note. */
const nestedBlocks = (block: Block): readonly (readonly Block[])[] => {
  if (block.type === 'list') return block.items
  if (block.type === 'table') return block.rows.flatMap((row) => row.map(({ content }) => content))
  return block.type === 'quote' || block.type === 'footnote' ? [block.content] : []
}

/** The text of blocks without mark-up. */
const plainTextOf = (blocks: readonly Block[]): string =>
  blocks
    .map((block) => {
      if (block.type === 'heading' || block.type === 'paragraph') return plainOf(block.content)
      return block.type === 'code' ? block.text : nestedBlocks(block).map(plainTextOf).join('\n')
    })
    .join('\n')

/** The images in a line of text. */
export const imagesIn = (content: readonly Inline[]): Extract<Inline, { readonly type: 'image' }>[] =>
  content.flatMap((one) => {
    if (one.type === 'link') return imagesIn(one.content)
    return one.type === 'image' ? [one] : []
  })

/** Maps each list of blocks inside a block. */
export const mapNestedBlocks = async (
  block: Block,
  change: (blocks: readonly Block[]) => Promise<readonly Block[]>,
): Promise<Block> => {
  switch (block.type) {
    case 'list': {
      const items: (readonly Block[])[] = []
      for (const item of block.items) items.push(await change(item))
      return { ...block, items }
    }
    case 'table': {
      const rows = []
      for (const row of block.rows) {
        const cells = []
        for (const cell of row) cells.push({ ...cell, content: await change(cell.content) })
        rows.push(cells)
      }
      return { ...block, rows }
    }
    case 'quote':
    case 'footnote':
      return { ...block, content: await change(block.content) }
    default:
      return block
  }
}

/** The first heading as title, where it has level 1 and only a few blocks precede it. */
export const headingTitle = (blocks: readonly Block[]): string | undefined => {
  const first = blocks.slice(0, 5).find(({ type }) => type === 'heading')
  return first?.type === 'heading' && first.level === 1 ? plainOf(first.content) || undefined : undefined
}

/** Puts each distinct header before and each footer after the body. Those without letters are page numbers. */
export const withHeadersAndFooters = (
  headers: readonly (readonly Block[])[],
  body: readonly Block[],
  footers: readonly (readonly Block[])[],
): Block[] => [...distinct(headers), ...body, ...distinct(footers)]

const distinct = (all: readonly (readonly Block[])[]): Block[] => {
  const byText = new Map(all.map((blocks) => [plainTextOf(blocks).trim(), blocks]))
  return [...byText].flatMap(([content, blocks]) => (/\p{L}/u.test(content) ? blocks : []))
}
