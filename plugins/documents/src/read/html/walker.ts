import { append } from '@sallyport/kit/lists'
import { defaultTreeAdapter as adapter } from 'parse5'
import type { ElementBudget } from '../../element-budget.js'
import type { Block, Mark } from '../../model/blocks.js'
import { listStart } from '../../model/lists.js'
import { image, isBlank, isDataUri, paragraph, text } from '../../model/inlines.js'
import { BlockBuilder } from './builder.js'
import { attribute, childrenOf, isElement, isHidden, marksByTag, phrasingElements, textOf } from './nodes.js'
import type { Element, Node } from './nodes.js'
import type { Notes } from './notes.js'
import { readTable } from './table.js'

export interface HtmlOptions {
  readonly elements: ElementBudget
  /** Whether to keep images that are data URIs. */
  readonly embedImages: boolean
  /** The address to keep for another image, if any; by default its own. */
  readonly imageUrl?: (url: string) => string | undefined
}

/** Deeper elements are read as plain text. */
const maxDepth = 200

/** Walks an HTML tree and adds its content to a builder. */
export class HtmlWalker {
  private depth = 0

  constructor(
    private readonly notes: Notes,
    private readonly options: HtmlOptions,
    private builder: BlockBuilder,
    private marks: readonly Mark[] = [],
  ) {}

  children(node: Node): void {
    if (this.depth >= maxDepth) {
      this.builder.text(textOf(node), this.marks)
      return
    }
    this.depth += 1
    for (const child of childrenOf(node)) {
      if (adapter.isTextNode(child)) this.builder.text(child.value, this.marks)
      else if (isElement(child) && !isHidden(child)) this.element(child)
    }
    this.depth -= 1
  }

  private element(element: Element): void {
    const label = this.notes.bodies.get(element)
    const { tagName } = element
    const mark = marksByTag[tagName]
    if (label !== undefined) this.builder.block({ type: 'footnote', label, content: this.blocksIn(element) })
    else if (mark) this.withMark(mark, element)
    else if (/^h[1-6]$/.test(tagName)) this.heading(element, Number(tagName[1]))
    else if (tagName === 'a') this.link(element)
    else if (tagName === 'br') this.builder.inline({ type: 'break' })
    else if (tagName === 'img') this.image(element)
    else if (tagName === 'hr') this.builder.block({ type: 'rule' })
    else if (tagName === 'pre') this.code(element)
    else if (/^(ul|ol|menu|dir)$/.test(tagName)) this.list(element)
    else if (tagName === 'table') this.table(element)
    else if (/^(blockquote|dd)$/.test(tagName)) this.builder.block({ type: 'quote', content: this.blocksIn(element) })
    else if (phrasingElements.has(tagName)) this.children(element)
    else this.division(element)
  }

  private division(element: Element): void {
    this.builder.end()
    this.children(element)
    this.builder.end()
  }

  private withMark(mark: Mark, element: Element): void {
    const outer = this.marks
    if (!outer.includes(mark)) this.marks = [...outer, mark]
    this.children(element)
    this.marks = outer
  }

  /** Reads an element with a builder of its own. */
  private blocksIn(element: Element): Block[] {
    const outer = [this.builder, this.marks] as const
    this.builder = new BlockBuilder()
    this.marks = []
    this.children(element)
    const blocks = this.builder.finish()
    ;[this.builder, this.marks] = outer
    return blocks
  }

  private heading(element: Element, level: number): void {
    this.builder.end()
    const [first, ...rest] = this.blocksIn(element)
    if (first?.type === 'paragraph') this.builder.block({ type: 'heading', level, content: first.content })
    else if (first) this.builder.block(first)
    for (const block of rest) this.builder.block(block)
  }

  /** Blocks inside a link are kept, without the link. */
  private link(element: Element): void {
    const label = this.notes.references.get(element)
    if (label !== undefined) {
      this.builder.inline({ type: 'note', label })
      return
    }
    if (this.notes.backlinks.has(element)) return
    const url = attribute(element, 'href')?.trim()
    if (!url || /^(javascript|data|vbscript):/i.test(url)) {
      this.children(element)
      return
    }
    const outer = this.builder
    const inner = (this.builder = new BlockBuilder())
    this.children(element)
    const content = inner.takeInlines()
    this.builder = outer
    for (const block of inner.finish()) outer.block(block)
    if (isBlank(content)) {
      for (const one of content) outer.inline(one)
      return
    }
    const whole = textOf(element)
    outer.text(/^\s/.test(whole) ? ' ' : '', this.marks)
    outer.inline({ type: 'link', url, content })
    outer.text(/\s$/.test(whole) ? ' ' : '', this.marks)
  }

  private image(element: Element): void {
    const alt = attribute(element, 'alt') ?? attribute(element, 'title')
    const source = attribute(element, 'src') ?? ''
    const { embedImages, imageUrl = (url: string) => url } = this.options
    const url = isDataUri(source) ? (embedImages ? source : undefined) : imageUrl(source)
    for (const one of image(alt, url)) this.builder.inline(one)
  }

  private code(element: Element): void {
    const [only] = childrenOf(element)
    const classes = attribute(only && isElement(only) ? only : element, 'class') ?? ''
    const language = /\blang(?:uage)?-([\w+#.-]+)/.exec(classes)?.[1]
    const code = textOf(element, '\n').replace(/^\n|\s+$/g, '')
    if (code) this.builder.block({ type: 'code', text: code, ...(language && { language }) })
  }

  private list(element: Element): void {
    const items: Block[][] = []
    const others: Block[] = []
    for (const child of childrenOf(element)) {
      if (!isElement(child) || isHidden(child)) {
        if (adapter.isTextNode(child) && child.value.trim()) items.push([paragraph([text(child.value.trim())])])
        continue
      }
      const label = this.notes.bodies.get(child)
      if (label !== undefined) others.push({ type: 'footnote', label, content: this.blocksIn(child) })
      else if (/^[oum]/.test(child.tagName) && items.length) append(items.at(-1) ?? [], this.blocksIn(wrap(child)))
      else items.push(this.blocksIn(child.tagName === 'li' ? child : wrap(child)))
    }
    const ordered = element.tagName === 'ol'
    const start = listStart(Number.parseInt(attribute(element, 'start') ?? '1', 10))
    const filled = items.filter((item) => item.length)
    if (filled.length) this.builder.block({ type: 'list', ordered, start, items: filled })
    for (const block of others) this.builder.block(block)
  }

  private table(element: Element): void {
    this.builder.end()
    for (const child of childrenOf(element))
      if (isElement(child) && child.tagName === 'caption')
        for (const block of this.blocksIn(child)) this.builder.block(block)
    for (const block of readTable(element, (cell) => this.blocksIn(cell))) this.builder.block(block)
  }
}

/** Wraps an element in a `div`, so that reading the children of the wrapper reads the element itself. */
const wrap = (element: Element): Element => ({ ...element, childNodes: [element], tagName: 'div', attrs: [] })
