import { defaultTreeAdapter, Parser, Tokenizer } from 'parse5'
import type { DefaultTreeAdapterMap } from 'parse5'
import { checkAttributeCount, tagsIn } from '../../element-budget.js'
import type { Block, DocumentTree } from '../../model/blocks.js'
import { decodeText } from '../decode-text.js'
import { DocumentProblem } from '../../problem.js'
import type { Source } from '../source.js'
import { BlockBuilder } from './builder.js'
import { elementsIn, textOf } from './nodes.js'
import { findNotes } from './notes.js'
import { HtmlWalker } from './walker.js'
import type { HtmlOptions } from './walker.js'

/** Refuses tags with too many attributes. @throws DocumentProblem */
class BoundedParser extends Parser<DefaultTreeAdapterMap> {
  override tokenizer: Tokenizer = new BoundedTokenizer(this.options, this)
}

class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    if (this.currentToken && 'attrs' in this.currentToken) checkAttributeCount(this.currentToken.attrs.length + 1)
    super._leaveAttrName()
  }
}

/** Reads the visible text of a page; scripts and forms are left out. */
export const readHtml = (source: Source): DocumentTree => {
  const html = decodeText(source.bytes, declaredEncoding(source.bytes))
  if (html === undefined) throw new DocumentProblem('this is no HTML that can be decoded: save it in UTF-8')
  return htmlTree(html, source)
}

export const htmlTree = (html: string, options: HtmlOptions): DocumentTree => {
  options.elements.add(tagsIn(html))
  const root = BoundedParser.parse(html, { treeAdapter: boundedAdapter() })
  const [titled] = elementsIn(root, 'title')
  const title = titled ? textOf(titled).replace(/\s+/g, ' ').trim() : ''
  const builder = new BlockBuilder()
  new HtmlWalker(findNotes(root), options, builder).children(root)
  return { ...(title && { title }), blocks: builder.finish() }
}

export const htmlBlocks = (html: string, options: HtmlOptions): readonly Block[] => htmlTree(html, options).blocks

const declaredEncoding = (bytes: Uint8Array): string | undefined =>
  /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(Buffer.from(bytes.subarray(0, 4096)).toString('latin1'))?.[1]

/** Max depth of elements: the parser searches all open ones at each tag. */
const maxOpen = 2000

const boundedAdapter = (): typeof defaultTreeAdapter => {
  let open = 0
  return {
    ...defaultTreeAdapter,
    onItemPush: () => {
      open += 1
      if (open > maxOpen) throw new DocumentProblem('its elements are nested too deeply: simplify it')
    },
    onItemPop: () => void (open -= 1),
  }
}
