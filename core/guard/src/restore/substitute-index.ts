/** Finds substitutes in a text that may still grow. */

import type { ReplacedText } from '@sallyport/core'
import { isPlaceholder } from '../replace/substitutes.js'

/** Originals whose substitutes differ in case only, as the spellings of one name do. */
export type Entry = readonly [ReplacedText, ...ReplacedText[]]

/** A substitute that the text has, from the position that was asked for. */
interface Found {
  readonly end: number
  readonly entry: Entry
}

interface Node {
  readonly next: Map<string, Node>
  entry?: [ReplacedText, ...ReplacedText[]]
}

/** White space of one substitute that is read; lines may be broken and indented in it. */
const maxSpace = 16

/** A tree of substitutes by their characters, in lower case. */
export class SubstituteIndex {
  private readonly root: Node = { next: new Map() }

  constructor(texts: readonly ReplacedText[]) {
    for (const text of texts) for (const spelling of spellingsOf(text.substitute)) this.add(spelling, text)
  }

  get isEmpty(): boolean {
    return this.root.next.size === 0
  }

  /** Whether a substitute begins with this character. */
  mayBegin(char: string): boolean {
    return this.root.next.has(folded(char))
  }

  /** All substitutes from a position on, the longest last, and whether one may go on after the end of the text. */
  find(text: string, start: number): { readonly found: readonly Found[]; readonly isOpen: boolean } {
    const found: Found[] = []
    let { root: node } = this
    let at = start
    for (;;) {
      if (at >= text.length) return { found, isOpen: node.next.size > 0 }
      const char = folded(text.charAt(at))
      const next = node.next.get(char)
      if (!next) return { found, isOpen: false }
      node = next
      const end = char === ' ' ? spaceEnd(text, at) : at + 1
      at = end
      if (node.entry) found.push({ end, entry: node.entry })
    }
  }

  /** The entry of a text that is a substitute. */
  exact(text: string): Entry | undefined {
    return this.find(text, 0).found.find(({ end }) => end === text.length)?.entry
  }

  private add(spelling: string, text: ReplacedText): void {
    let node = this.root
    for (const char of spelling.replace(/\s+/gu, ' ').split('')) {
      const next: Node = node.next.get(folded(char)) ?? { next: new Map() }
      node.next.set(folded(char), next)
      node = next
    }
    if (node.entry) node.entry.push(text)
    else node.entry = [text]
  }
}

/** Models leave out the brackets of a placeholder, or write them as HTML does. */
const spellingsOf = (substitute: string): readonly string[] => {
  if (!isPlaceholder(substitute)) return [substitute]
  const name = substitute.slice(1, -1)
  return [substitute, name, `&lt;${name}&gt;`]
}

const apostrophes = '’‘ʼ'
const hyphens = '‐‑–'

/** One code unit for one, so that positions stay. */
const folded = (char: string): string => {
  if (char > ' ' && char <= '~') return char.toLowerCase()
  if (/\s/u.test(char)) return ' '
  if (apostrophes.includes(char)) return "'"
  if (hyphens.includes(char)) return '-'
  const lower = char.toLowerCase()
  return lower.length === 1 ? lower : char
}

const spaceEnd = (text: string, start: number): number => {
  let end = start + 1
  while (end < text.length && end - start < maxSpace && /\s/u.test(text.charAt(end))) end += 1
  return end
}
