import type { ElementBudget } from '../../element-budget.js'
import type { Block, DocumentTree, Footnote, Mark } from '../../model/blocks.js'
import { text } from '../../model/inlines.js'
import { headingTitle, withHeadersAndFooters } from '../../model/nested-blocks.js'
import { DocumentProblem } from '../../problem.js'
import type { Source } from '../source.js'
import { Flow } from './flow.js'
import { ImageBuilder, rtfTokens } from './tokens.js'
import type { Token } from './tokens.js'
import {
  codePageOf,
  destinations,
  asideKinds,
  skippedDestinations,
  StyleSheet,
  symbols,
  textDestinations,
} from './words.js'
import type { State } from './words.js'

/** Reads RTF: paragraphs, headings, lists, tables, notes, headers, footers and images. @throws DocumentProblem */
export const readRtf = (source: Pick<Source, 'bytes' | 'elements' | 'embedImages'>): DocumentTree => {
  const reader = new RtfReader(source.elements, source.embedImages)
  for (const token of rtfTokens(Buffer.from(source.bytes).toString('latin1'))) reader.take(token)
  return reader.finish()
}

/** A header, footer or note whose group is open. */
interface Aside {
  readonly kind: 'header' | 'footer' | 'note'
  /** The number of groups around it. */
  readonly depth: number
  readonly flow: Flow
}

class RtfReader {
  private state: State = { destination: 'text', marks: [], hidden: false, codePage: 'windows-1252', unicodeSkip: 1 }
  private readonly stack: State[] = []
  private readonly styles = new StyleSheet()
  private readonly running = { header: [] as Block[][], footer: [] as Block[][] }
  private readonly notes: Footnote[] = []
  private readonly outer: Aside[] = []
  private flow: Flow
  private image = new ImageBuilder()
  private bytes: number[] = []
  private toSkip = 0
  private optional = false
  private fieldDepth = 0
  private title = ''

  constructor(
    private readonly elements: ElementBudget,
    private readonly embedImages: boolean,
  ) {
    this.flow = new Flow(elements)
  }

  take(token: Token): void {
    if (token.type === 'byte') {
      this.byte(token.byte)
      return
    }
    if (token.type !== 'word' || token.word !== 'u') this.flushBytes()
    switch (token.type) {
      case 'open':
        this.stack.push(this.state)
        break
      case 'close':
        this.close()
        break
      case 'text':
        this.addText(token.text)
        break
      case 'binary':
        if (this.state.destination === 'image') this.image.bytes(token.bytes)
        break
      case 'word':
        this.word(token.word, token.value)
    }
    if (token.type !== 'word' || token.word !== '*') this.optional = false
  }

  /** @throws DocumentProblem where groups are still open */
  finish(): DocumentTree {
    this.flushBytes()
    if (this.stack.length > 0) throw new DocumentProblem('this RTF is cut off: save or upload it again')
    const blocks = [...this.flow.finish(), ...this.notes]
    const title = this.title.trim() || headingTitle(blocks)
    const { header, footer } = this.running
    return { ...(title && { title }), blocks: withHeadersAndFooters(header, blocks, footer) }
  }

  private close(): void {
    const { destination } = this.state
    if (destination === 'style') this.styles.end()
    this.toSkip = 0
    const before = this.stack.pop()
    if (before?.destination === 'text' && destination === 'listtext') this.flow.listed ??= { ordered: false, level: 0 }
    if (before && destination === 'image' && before.destination !== 'image') this.endImage()
    if (before) this.state = before
    if (this.stack.length < this.fieldDepth) {
      this.flow.link = undefined
      this.fieldDepth = 0
    }
    if (this.outer.at(-1)?.depth === this.stack.length) this.endAside()
  }

  private endImage(): void {
    const url = this.embedImages ? this.image.uri : undefined
    if (url !== undefined) this.flow.add({ type: 'image', alt: '', url })
  }

  private beginAside(kind: Aside['kind']): void {
    this.outer.push({ kind, depth: this.stack.length - 1, flow: this.flow })
    this.flow = new Flow(this.elements)
    this.state = { ...this.state, destination: 'text', marks: [] }
  }

  private endAside(): void {
    const aside = this.outer.pop()
    if (!aside) return
    const content = this.flow.finish()
    this.flow = aside.flow
    if (aside.kind !== 'note') this.running[aside.kind].push(content)
    else if (content.length > 0) {
      const label = String(this.notes.push({ type: 'footnote', label: String(this.notes.length + 1), content }))
      this.flow.add({ type: 'note', label })
    }
  }

  private byte(byte: number): void {
    if (this.toSkip > 0) this.toSkip -= 1
    else this.bytes.push(byte)
  }

  private flushBytes(): void {
    if (this.bytes.length === 0) return
    const bytes = Uint8Array.from(this.bytes)
    this.bytes = []
    this.addText(new TextDecoder(this.state.codePage).decode(bytes))
  }

  private addText(added: string): void {
    let rest = added
    if (this.toSkip > 0) {
      rest = added.slice(this.toSkip)
      this.toSkip = Math.max(0, this.toSkip - added.length)
    }
    const { destination, hidden, marks } = this.state
    const { flow } = this
    if (destination === 'image') this.image.hex(rest)
    else if (destination === 'title') this.title += rest
    else if (destination === 'style') this.styles.name += rest
    else if (destination === 'listtext')
      flow.listed = { ordered: /[\p{L}\p{N}]/u.test(rest) || (flow.listed?.ordered ?? false), level: 0 }
    else if (destination === 'instruction') flow.link = /HYPERLINK\s+"([^"]+)"/.exec(rest)?.[1] ?? flow.link
    else if (destination === 'text' && !hidden && rest) flow.add(text(rest, marks))
  }

  private word(word: string, value: number | undefined): void {
    const { destination } = this.state
    if (word === '*') this.optional = true
    else if (this.changeDestination(word)) return
    else if (destination === 'styles' || destination === 'style') this.styleWord(word, value ?? 0)
    else if (destination === 'image') this.image.word(word)
    else if (word === 'u') this.unicode(value ?? 0)
    else if (word === 'uc') this.state = { ...this.state, unicodeSkip: Math.min(16, Math.max(0, value ?? 1)) }
    else if (word === 'ansicpg') this.state = { ...this.state, codePage: codePageOf(value ?? 1252) }
    else if (destination === 'text') this.textWord(word, value)
  }

  /** Handles words that change the destination of their group. @returns whether nothing else is to be done */
  private changeDestination(word: string): boolean {
    const { destination } = this.state
    if (destination === 'skip') return true
    const named = destinations[word]
    const aside = asideKinds[word]
    if (named) {
      if (named === 'image') this.image = new ImageBuilder()
      this.state = { ...this.state, destination: named }
    } else if (aside) this.beginAside(aside)
    else if (word === 'info' || textDestinations.has(word)) return true
    else if (skippedDestinations.has(word) || (this.optional && destination === 'text'))
      this.state = { ...this.state, destination: 'skip' }
    else return false
    return true
  }

  private styleWord(word: string, value: number): void {
    if (word === 's') this.styles.begin(value)
    else if (word === 'outlinelevel') this.styles.setLevel(value + 1)
    if (this.state.destination === 'styles' && this.stack.length > 1)
      this.state = { ...this.state, destination: 'style' }
  }

  private unicode(value: number): void {
    this.flushBytes()
    this.addText(String.fromCharCode(value < 0 ? value + 65_536 : value))
    this.toSkip = this.state.unicodeSkip
  }

  private textWord(word: string, value: number | undefined): void {
    const on = value !== 0
    const symbol = symbols[word]
    const mark = marks[word]
    if (mark) this.mark(mark, on)
    else if (word === 'plain') this.state = { ...this.state, marks: [], hidden: false }
    else if (word === 'v' || word === 'deleted') this.state = { ...this.state, hidden: on }
    else if (word === 'line') this.flow.add({ type: 'break' })
    else if (word === 'field') this.fieldDepth = this.stack.length
    else if (symbol !== undefined) this.addText(symbol)
    else this.layoutWord(word, value ?? 0)
  }

  private layoutWord(word: string, value: number): void {
    const { flow } = this
    if (/^(par|sect|page)$/.test(word)) flow.endParagraph()
    else if (word === 'pard') flow.resetParagraph()
    else if (word === 's') flow.outline = this.styles.levelOf(value)
    else if (word === 'outlinelevel') flow.outline = value + 1
    else if (word === 'ilvl')
      flow.listed = { ordered: flow.listed?.ordered ?? false, level: Math.min(8, Math.max(0, value)) }
    else if (word === 'intbl') flow.inTable = true
    else if (word === 'trowd') flow.table.define()
    else if (/^(clvmrg|clmrg|cellx)$/.test(word)) flow.table.property(word, value)
    else if (word === 'cell') flow.endCell()
    else if (word === 'row') flow.table.row()
  }

  private mark(mark: Mark, on: boolean): void {
    const others = this.state.marks.filter((one) => one !== mark)
    this.state = { ...this.state, marks: on ? [...others, mark] : others }
  }
}

const marks: Readonly<Record<string, Mark>> = { b: 'bold', i: 'italic', strike: 'strike' }
