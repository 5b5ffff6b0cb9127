import { append } from '@sallyport/kit/lists'
import type { ElementBudget } from '../../element-budget.js'
import type { Block, Inline } from '../../model/blocks.js'
import { isBlank, normaliseSpace, paragraph, withoutMarks } from '../../model/inlines.js'
import { withLists } from '../../model/lists.js'
import type { ListEntry } from '../../model/lists.js'
import { TableBuilder } from './table.js'

/** A sequence of paragraphs: that of the document, of a header or of a note. */
export class Flow {
  /** The level of the current paragraph, if it is a heading; from 1. */
  outline: number | undefined
  listed: { readonly ordered: boolean; readonly level: number } | undefined
  inTable = false
  link: string | undefined
  readonly table = new TableBuilder()
  private readonly sequence: (Block | ListEntry)[] = []
  private open: Inline[] = []

  constructor(private readonly elements: ElementBudget) {}

  add(one: Inline): void {
    this.elements.add(1)
    this.open.push(this.link && one.type === 'text' ? { type: 'link', url: this.link, content: [one] } : one)
  }

  /** Resets the properties of the paragraph. */
  resetParagraph(): void {
    this.outline = undefined
    this.listed = undefined
    this.inTable = false
  }

  endParagraph(): void {
    this.elements.add(1)
    const content = this.takeInlines()
    if (this.inTable) {
      this.table.paragraph(content)
      return
    }
    append(this.sequence, this.table.finish())
    if (isBlank(content)) return
    if (this.outline !== undefined && this.outline < 10)
      this.sequence.push({ type: 'heading', level: this.outline, content: withoutMarks(content) })
    else if (this.listed) this.sequence.push({ ...this.listed, number: 1, content: [paragraph(content)] })
    else this.sequence.push(paragraph(content))
  }

  endCell(): void {
    this.elements.add(1)
    this.table.cell(this.takeInlines())
  }

  finish(): Block[] {
    this.endParagraph()
    append(this.sequence, this.table.finish())
    return withLists(this.sequence)
  }

  private takeInlines(): Inline[] {
    this.link = undefined
    const content = normaliseSpace(this.open)
    this.open = []
    return content
  }
}
