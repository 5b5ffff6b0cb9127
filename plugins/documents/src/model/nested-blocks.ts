import type { Block, Cell, Image, Inline } from './blocks.js'
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

/** The images of a paragraph or heading, those in links included. */
export const imagesIn = (content: readonly Inline[]): Image[] =>
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
    case 'list':
      return { ...block, items: await mapInOrder(block.items, change) }
    case 'table': {
      const changeCell = async (cell: Cell) => ({ ...cell, content: await change(cell.content) })
      return { ...block, rows: await mapInOrder(block.rows, (row) => mapInOrder(row, changeCell)) }
    }
    case 'quote':
    case 'footnote':
      return { ...block, content: await change(block.content) }
    default:
      return block
  }
}

/** Maps items one after the other. */
const mapInOrder = async <Item, Result>(items: readonly Item[], change: (item: Item) => Promise<Result>) => {
  const results: Result[] = []
  for (const item of items) results.push(await change(item))
  return results
}

/** Moves headings before the other blocks, as on slides, whose titles may be written last. */
export const headingsFirst = (blocks: readonly Block[]): Block[] => [
  ...blocks.filter(({ type }) => type === 'heading'),
  ...blocks.filter(({ type }) => type !== 'heading'),
]

/** The first heading as title, where it has level 1 and at most four blocks precede it. */
export const headingTitle = (blocks: readonly Block[]): string | undefined => {
  const first = blocks.slice(0, 5).find(({ type }) => type === 'heading')
  return first?.type === 'heading' && first.level === 1 ? plainOf(first.content) || undefined : undefined
}

/** Puts each distinct header before the body, and each footer after it; those without letters count pages only. */
export const withHeadersAndFooters = (
  headers: readonly (readonly Block[])[],
  body: readonly Block[],
  footers: readonly (readonly Block[])[],
): Block[] => [...distinct(headers), ...body, ...distinct(footers)]

const distinct = (all: readonly (readonly Block[])[]): Block[] => {
  const byText = new Map(all.map((blocks) => [plainTextOf(blocks).trim(), blocks]))
  return [...byText].flatMap(([content, blocks]) => (/\p{L}/u.test(content) ? blocks : []))
}
