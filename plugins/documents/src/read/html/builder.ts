import type { Block, Footnote, Inline, Mark } from '../../model/blocks.js'
import { isBlank, text, tidied } from '../../model/inlines.js'

/** Collects inlines until a block begins or ends: what is left then is a paragraph. */
export class BlockBuilder {
  private readonly blocks: Block[] = []
  private open: Inline[] = []

  /** A second line break in a row ends the paragraph. */
  inline(one: Inline): void {
    const last = this.open.findLast((other) => other.type !== 'text' || other.text.trim() !== '')
    if (one.type === 'break' && last?.type === 'break') this.end()
    else this.open.push(one)
  }

  text(content: string, marks: readonly Mark[]): void {
    if (content !== '') this.open.push(text(content, marks))
  }

  block(block: Block): void {
    this.end()
    this.blocks.push(block)
  }

  /** Takes the collected inlines away. */
  taken(): Inline[] {
    const content = tidied(this.open)
    this.open = []
    return content
  }

  /** Ends the paragraph. */
  end(): void {
    const content = this.taken()
    if (!isBlank(content)) this.blocks.push({ type: 'paragraph', content })
  }

  /** The blocks, notes last. */
  finish(): Block[] {
    this.end()
    const notes = this.blocks.filter((block): block is Footnote => block.type === 'footnote')
    return notes.length ? [...this.blocks.filter(({ type }) => type !== 'footnote'), ...notes] : this.blocks
  }
}
