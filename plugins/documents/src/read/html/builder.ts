import type { Block, Footnote, Inline, Mark } from '../../model/blocks.js'
import { isBlank, normaliseSpace, paragraph, text } from '../../model/inlines.js'

/** Builds blocks. The inlines in between become paragraphs. */
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

  /** Returns the collected inlines and removes them. */
  takeInlines(): Inline[] {
    const content = normaliseSpace(this.open)
    this.open = []
    return content
  }

  /** Ends the paragraph. */
  end(): void {
    const content = this.takeInlines()
    if (!isBlank(content)) this.blocks.push(paragraph(content))
  }

  /** Returns the blocks, with notes last. */
  finish(): Block[] {
    this.end()
    const notes = this.blocks.filter((block): block is Footnote => block.type === 'footnote')
    return notes.length ? [...this.blocks.filter(({ type }) => type !== 'footnote'), ...notes] : this.blocks
  }
}
