import type { Block, Inline } from './blocks.js'
import { plainOf } from './inlines.js'

/** The blocks in a block: of each item, cell or note those that are in it. */
const partsOf = (block: Block): readonly (readonly Block[])[] => {
  if (block.type === 'list') return block.items
  if (block.type === 'table') return block.rows.flatMap((row) => row.map(({ content }) => content))
  return block.type === 'quote' || block.type === 'footnote' ? [block.content] : []
}

/** All that is said in blocks, without mark-up. */
export const saidIn = (blocks: readonly Block[]): string =>
  blocks
    .map((block) => {
      if (block.type === 'heading' || block.type === 'paragraph') return plainOf(block.content)
      return block.type === 'code' ? block.text : partsOf(block).map(saidIn).join('\n')
    })
    .join('\n')

/** The pictures in a line of text. */
export const picturesIn = (content: readonly Inline[]): Extract<Inline, { readonly type: 'picture' }>[] =>
  content.flatMap((one) => {
    if (one.type === 'link') return picturesIn(one.content)
    return one.type === 'picture' ? [one] : []
  })

/** The same blocks with what a function makes of each list of blocks in them. */
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
