import type { Block, DocumentTree, Inline, Mark } from '../../model/blocks.js'
import { isBlank, text, tidied, unmarked } from '../../model/inlines.js'
import { withLists } from '../../model/lists.js'
import type { ListEntry } from '../../model/lists.js'
import { headingTitle } from '../../model/titles.js'
import type { Source } from '../source.js'
import { TableBuilder } from './table.js'
import { rtfTokens } from './tokens.js'
import type { Token } from './tokens.js'
import { codePageOf, skipped, symbols } from './words.js'
import type { State } from './words.js'

/** Text, paragraphs, headings, lists and tables; pictures are left out. */
export const readRtf = ({ bytes }: Source): DocumentTree => {
  const reader = new RtfReader()
  for (const token of rtfTokens(Buffer.from(bytes).toString('latin1'))) reader.take(token)
  const { blocks, title: told } = reader.finish()
  const title = told || headingTitle(blocks)
  return { ...(title && { title }), blocks }
}

class RtfReader {
  private state: State = { destination: 'text', marks: [], hidden: false, codePage: 'windows-1252', unicodeSkip: 1 }
  private readonly stack: State[] = []
  private readonly sequence: (Block | ListEntry)[] = []
  private readonly table = new TableBuilder()
  private readonly styles = new Map<number, number>()
  private open: Inline[] = []
  private bytes: number[] = []
  private toSkip = 0
  private optional = false
  private outline: number | undefined
  private listed: { ordered: boolean; level: number } | undefined
  private inTable = false
  private link: string | undefined
  private style = { number: 0, name: '' }
  private title = ''

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
        this.say(token.text)
        break
      case 'word':
        this.word(token.word, token.value)
    }
    if (token.type !== 'word' || token.word !== '*') this.optional = false
  }

  finish(): { blocks: Block[]; title: string } {
    this.flushBytes()
    this.paragraph()
    this.sequence.push(...this.table.finish())
    return { blocks: withLists(this.sequence), title: this.title.trim() }
  }

  private close(): void {
    if (this.state.destination === 'style') this.endStyle()
    this.toSkip = 0
    const outer = this.stack.pop()
    if (outer?.destination === 'text' && this.state.destination === 'listtext')
      this.listed ??= { ordered: false, level: 0 }
    if (outer) this.state = outer
  }

  private byte(byte: number): void {
    if (this.toSkip > 0) this.toSkip -= 1
    else this.bytes.push(byte)
  }

  private flushBytes(): void {
    if (this.bytes.length === 0) return
    const bytes = Uint8Array.from(this.bytes)
    this.bytes = []
    this.say(new TextDecoder(this.state.codePage).decode(bytes))
  }

  private say(said: string): void {
    let shown = said
    if (this.toSkip > 0) {
      shown = said.slice(this.toSkip)
      this.toSkip = Math.max(0, this.toSkip - said.length)
    }
    const { destination, hidden, marks } = this.state
    if (destination === 'title') this.title += shown
    else if (destination === 'style') this.style.name += shown
    else if (destination === 'listtext')
      this.listed = { ordered: /[\p{L}\p{N}]/u.test(shown) || (this.listed?.ordered ?? false), level: 0 }
    else if (destination === 'instruction') this.link = /HYPERLINK\s+"([^"]+)"/.exec(shown)?.[1] ?? this.link
    else if (destination === 'text' && !hidden && shown) this.inline(text(shown, marks))
  }

  private inline(one: Inline): void {
    this.open.push(this.link && one.type === 'text' ? { type: 'link', url: this.link, content: [one] } : one)
  }

  private word(word: string, value: number | undefined): void {
    const { destination } = this.state
    if (word === '*') this.optional = true
    else if (this.enters(word)) return
    else if (destination === 'styles' || destination === 'style') this.styleWord(word, value ?? 0)
    else if (word === 'u') this.unicode(value ?? 0)
    else if (word === 'uc') this.state = { ...this.state, unicodeSkip: Math.min(16, Math.max(0, value ?? 1)) }
    else if (word === 'ansicpg') this.state = { ...this.state, codePage: codePageOf(value ?? 1252) }
    else if (word === 'bin') this.toSkip = Math.max(0, value ?? 0)
    else if (destination === 'text') this.textWord(word, value)
  }

  /** Whether a word begins a group that is no text. */
  private enters(word: string): boolean {
    const named = {
      stylesheet: 'styles',
      fonttbl: 'skip',
      title: 'title',
      listtext: 'listtext',
      fldinst: 'instruction',
    } as const
    const { destination } = this.state
    if (word in named && destination !== 'skip')
      this.state = { ...this.state, destination: named[word as keyof typeof named] }
    else if (word === 'info') return true
    else if (word === 'fldrslt' || word === 'shptxt' || word === 'shpinst' || word === 'shprslt') return true
    else if (/^(author|operator|company|subject|keywords|comment|doccomm|category|manager)$/.test(word))
      this.state = { ...this.state, destination: 'skip' }
    else if (skipped.has(word) || (this.optional && destination === 'text'))
      this.state = { ...this.state, destination: 'skip' }
    else return false
    return true
  }

  private styleWord(word: string, value: number): void {
    if (word === 's') {
      this.endStyle()
      this.style = { number: value, name: '' }
    } else if (word === 'outlinelevel') this.styles.set(this.style.number, value + 1)
    if (this.state.destination === 'styles' && this.stack.length > 1)
      this.state = { ...this.state, destination: 'style' }
  }

  private endStyle(): void {
    const level = /\bheading (\d)/i.exec(this.style.name)?.[1]
    if (level) this.styles.set(this.style.number, Number(level))
  }

  private unicode(value: number): void {
    this.flushBytes()
    this.say(String.fromCharCode(value < 0 ? value + 65_536 : value))
    this.toSkip = this.state.unicodeSkip
  }

  private textWord(word: string, value: number | undefined): void {
    const on = value !== 0
    switch (word) {
      case 'b': {
        this.mark('bold', on)
        return
      }
      case 'i': {
        this.mark('italic', on)
        return
      }
      case 'strike': {
        this.mark('strike', on)
        return
      }
      case 'plain':
        this.state = { ...this.state, marks: [], hidden: false }
        return
      case 'v':
      case 'deleted':
        this.state = { ...this.state, hidden: on }
        return
      case 'line': {
        this.inline({ type: 'break' })
        return
      }
      case 'field':
        this.link = undefined
        return
      default:
        if (symbols[word] !== undefined) this.say(symbols[word])
        else this.layoutWord(word, value)
    }
  }

  private layoutWord(word: string, value = 0): void {
    switch (word) {
      case 'par':
      case 'sect':
      case 'page': {
        this.paragraph()
        return
      }
      case 'pard':
        this.outline = undefined
        this.listed = undefined
        this.inTable = false
        return
      case 's':
        this.outline = this.styles.get(value)
        return
      case 'outlinelevel':
        this.outline = value + 1
        return
      case 'ilvl':
        this.listed = { ordered: this.listed?.ordered ?? false, level: Math.min(8, Math.max(0, value)) }
        return
      case 'intbl':
        this.inTable = true
        return
      case 'trowd': {
        this.table.define()
        return
      }
      case 'clvmrg':
      case 'clmrg':
      case 'clvmgf':
      case 'cellx': {
        this.table.property(word)
        return
      }
      case 'cell': {
        this.table.cell(this.taken())
        return
      }
      case 'row': {
        this.table.row()
        return
      }
    }
  }

  private mark(mark: Mark, on: boolean): void {
    const others = this.state.marks.filter((one) => one !== mark)
    this.state = { ...this.state, marks: on ? [...others, mark] : others }
  }

  private taken(): Inline[] {
    this.link = undefined
    const content = tidied(this.open)
    this.open = []
    return content
  }

  private paragraph(): void {
    const content = this.taken()
    if (this.inTable) {
      this.table.paragraph(content)
      return
    }
    this.sequence.push(...this.table.finish())
    if (isBlank(content)) return
    const block: Block = { type: 'paragraph', content }
    if (this.outline !== undefined && this.outline < 10)
      this.sequence.push({ type: 'heading', level: this.outline, content: unmarked(content) })
    else if (this.listed) this.sequence.push({ ...this.listed, number: 1, content: [block] })
    else this.sequence.push(block)
  }
}
