import type { Block, Inline } from './blocks.js'
import { plainOf } from './inlines.js'

/** The blocks in a block: of each item, cell or note those that are in it. */
const partsOf = (block: Block): readonly (readonly Block[])[] => {
  if (block.type === 'list') return block.items
  if (block.type === 'table') return block.rows.flatMap((row) => row.map(({ content }) => content))
  return block.type === 'quote' || block.type === 'footnote' ? [block.content] : []
}

/** All that is said in blocks, without mark-up. */
const plainTextOf = (blocks: readonly Block[]): string =>
  blocks
    .map((block) => {
      if (block.type === 'heading' || block.type === 'paragraph') return plainOf(block.content)
      return block.type === 'code' ? block.text : partsOf(block).map(plainTextOf).join('\n')
    })
    .join('\n')

/** The images in a line of text. */
export const imagesIn = (content: readonly Inline[]): Extract<Inline, { readonly type: 'image' }>[] =>
  content.flatMap((one) => {
    if (one.type === 'link') return imagesIn(one.content)
    return one.type === 'image' ? [one] : []
  })

/** Replaces each list of blocks within a block by what a function makes of it. */
export const mapWithin = async (
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

/** The first heading, where it is one of the outermost and nothing but a few lines stands before it. */
export const headingTitle = (blocks: readonly Block[]): string | undefined => {
  const first = blocks.slice(0, 5).find(({ type }) => type === 'heading')
  return first?.type === 'heading' && first.level === 1 ? plainOf(first.content) || undefined : undefined
}

/** Headers and footers of pages stand once each, before and after the text; what has no letters counts pages. */
export const withRunning = (
  headers: readonly (readonly Block[])[],
  body: readonly Block[],
  footers: readonly (readonly Block[])[],
): Block[] => [...distinct(headers), ...body, ...distinct(footers)]

const distinct = (all: readonly (readonly Block[])[]): Block[] => {
  const byText = new Map(all.map((blocks) => [plainTextOf(blocks).trim(), blocks]))
  return [...byText].flatMap(([content, blocks]) => (/\p{L}/u.test(content) ? blocks : []))
}
