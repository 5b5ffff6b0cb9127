import type { Block, Cell, DocumentTree, Inline, List } from '../model/blocks.js'
import { plainOf, normaliseSpace } from '../model/inlines.js'
import type { Fragments } from './fragments.js'

/** Writes text without mark-up: cells are separated by tabs, items begin with a bullet or their number. */
export const writeText = ({ blocks }: DocumentTree, fragments: Fragments): void => {
  writeBlocks(blocks, '', fragments)
  fragments.add('gap', '\n')
}

const writeBlocks = (blocks: readonly Block[], indent: string, fragments: Fragments, separator = '\n\n'): void => {
  let first = true
  for (const block of blocks) {
    if (block.type === 'rule') continue
    if (!first) fragments.add('gap', `${separator}${indent}`)
    first = false
    writeBlock(block, indent, fragments)
  }
}

const writeBlock = (block: Block, indent: string, fragments: Fragments): void => {
  const indented = (text: string) => (indent ? text.replaceAll('\n', `\n${indent}`) : text)
  switch (block.type) {
    case 'heading': {
      const title = plainOf(block.content)
      fragments.add('heading', title, block, { level: block.level, title })
      return
    }
    case 'paragraph': {
      fragments.add('text', indented(textInline(block.content)), block)
      return
    }
    case 'code': {
      fragments.add('text', indented(block.text), block)
      return
    }
    case 'list': {
      writeList(block, indent, fragments)
      return
    }
    case 'table':
      for (const [index, row] of block.rows.entries()) {
        if (index) fragments.add('gap', `\n${indent}`)
        fragments.add('row', row.map(cellText).join('\t'), block)
      }
      return
    case 'quote': {
      writeBlocks(block.content, indent, fragments)
      return
    }
    case 'footnote':
      fragments.add('text', `[${block.label}] `, block)
      {
        writeBlocks(block.content, indent, fragments)
        return
      }
    case 'rule':
  }
}

const writeList = ({ ordered, start, items, ...place }: List, indent: string, fragments: Fragments): void => {
  for (const [index, item] of items.entries()) {
    if (index) fragments.add('gap', `\n${indent}`)
    const bullet = ordered ? `${start + index}. ` : '- '
    fragments.add('text', bullet, place)
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
          return `[${one.label}]`
        case 'break':
          return '\n'
      }
    })
    .join('')
