import type { Block, Cell, DocumentTree, Inline, List } from '../model/blocks.js'
import { plainOf, normaliseSpace } from '../model/inlines.js'
import type { Fragments } from './fragments.js'
import { asAttribute, asMarkup } from './marks.js'

/** Writes text without mark-up: cells are separated by tabs, items begin with a bullet or their number. */
export const writeText = ({ blocks }: DocumentTree, fragments: Fragments): void => {
  writeBlocks(blocks, '', fragments)
  fragments.add('\n')
}

const writeBlocks = (blocks: readonly Block[], indent: string, fragments: Fragments, separator = '\n\n'): void => {
  for (const [index, block] of blocks.filter(({ type }) => type !== 'rule').entries()) {
    if (index) fragments.add(`${separator}${indent}`)
    writeBlock(block, indent, fragments)
  }
}

const writeBlock = (block: Block, indent: string, fragments: Fragments): void => {
  const indented = (text: string) => (indent ? text.replaceAll('\n', `\n${indent}`) : text)
  switch (block.type) {
    case 'heading':
      fragments.add(plainOf(block.content), block)
      break
    case 'paragraph':
      fragments.add(indented(textInline(block.content)), block)
      break
    case 'code':
      fragments.add(indented(block.text), block)
      break
    case 'list':
      writeList(block, indent, fragments)
      break
    case 'table':
      for (const [index, row] of block.rows.entries()) {
        if (index) fragments.add(`\n${indent}`)
        fragments.add(row.map(cellText).join('\t'), block)
      }
      break
    case 'footnote':
      fragments.add(`[${block.label}] `, block)
      writeBlocks(block.content, indent, fragments)
      break
    case 'quote':
      writeBlocks(block.content, indent, fragments)
      break
    case 'rule':
  }
}

const writeList = ({ ordered, start, items, ...place }: List, indent: string, fragments: Fragments): void => {
  for (const [index, item] of items.entries()) {
    if (index) fragments.add(`\n${indent}`)
    const bullet = ordered ? `${start + index}. ` : '- '
    fragments.add(bullet, place)
    writeBlocks(item, indent + ' '.repeat(bullet.length), fragments, '\n')
  }
}

const cellText = ({ content }: Cell): string => content.map(blockInLine).filter(Boolean).join(' ')

const blockInLine = (block: Block): string => {
  switch (block.type) {
    case 'heading':
    case 'paragraph':
      return textInline(block.content).replace(/\s+/g, ' ')
    case 'code':
      return block.text.replace(/\s+/g, ' ')
    case 'list':
      return block.items.map((item) => item.map(blockInLine).join(' ')).join(' ')
    case 'table':
      return block.rows.map((row) => row.map(cellText).join(' ')).join(' ')
    case 'quote':
    case 'footnote':
      return block.content.map(blockInLine).join(' ')
    case 'rule':
      return ''
  }
}

const textInline = (content: readonly Inline[]): string => inlineText(normaliseSpace(content))

const inlineText = (content: readonly Inline[]): string =>
  content
    .map((one) => {
      switch (one.type) {
        case 'text':
          return one.text
        case 'link':
          return inlineText(one.content)
        case 'image':
          return one.alt
        case 'note':
          return asMarkup('[') + asAttribute(one.label) + asMarkup(']')
        case 'break':
          return '\n'
      }
    })
    .join('')
