import { append } from '@sallyport/kit/lists'
import type { Block, List } from './blocks.js'

/** A paragraph of a list, in formats that have paragraphs with a level instead of lists. */
export interface ListEntry {
  /** Its depth, from 0. */
  readonly level: number
  readonly ordered: boolean
  /** Its number in an ordered list. */
  readonly number: number
  readonly content: readonly Block[]
}

interface OpenList extends List {
  readonly items: Block[][]
}

/** The lists of consecutive entries, nested by their levels. */
const nestedLists = (entries: readonly ListEntry[]): List[] => {
  const roots: OpenList[] = []
  const stack: { level: number; list: OpenList }[] = []
  for (const { level, ordered, number, content } of entries) {
    while (stack.length > 1 && (stack.at(-1)?.level ?? 0) > level) stack.pop()
    const top = stack.at(-1)
    if (top && top.level >= level && top.list.ordered === ordered) top.list.items.push([...content])
    else {
      if (top && top.level >= level) stack.pop()
      const list: OpenList = { type: 'list', ordered, start: listStart(number), items: [[...content]] }
      const siblings = stack.at(-1)?.list.items.at(-1) ?? roots
      siblings.push(list)
      stack.push({ level, list })
    }
  }
  return roots
}

/** Replaces consecutive entries among blocks by lists. */
export const withLists = (sequence: readonly (Block | ListEntry)[]): Block[] => {
  const blocks: Block[] = []
  let entries: ListEntry[] = []
  const flush = () => {
    append(blocks, nestedLists(entries))
    entries = []
  }
  for (const one of sequence) {
    if ('type' in one) {
      flush()
      blocks.push(one)
    } else entries.push(one)
  }
  flush()
  return blocks
}

/** The number of the first item of a list; 1 for one of more than four digits, which may be anything but a number of a list. */
export const listStart = (written: number): number => (written >= 0 && written < 10_000 ? written : 1)
