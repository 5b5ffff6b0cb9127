import { Marked } from 'marked'
import { occurrences } from '../elements.js'
import type { DocumentTree } from '../model/blocks.js'
import { plainOf } from '../model/inlines.js'
import { footnotes } from './markdown-notes.js'
import { htmlBlocks } from './html/index.js'
import type { HtmlOptions } from './html/walker.js'

/** With what lines, cells, pictures and words in italics or bold begin or end. */
const marks = '\n|[*_`<'

/** GitHub's Markdown, front matter left out but for the title. */
export const markdownTree = (source: string, options: HtmlOptions): DocumentTree => {
  const front = /^---\n([\s\S]*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(source)
  const fields = front && /^\w[\w-]*:/m.test(front[1] ?? '') ? (front[1] ?? '') : undefined
  const body = fields === undefined ? source : source.slice(front?.[0].length ?? 0)
  // what becomes of them counts as HTML
  options.elements.check(occurrences(body, marks))
  const marked = new Marked({ gfm: true, async: false }, footnotes())
  const blocks = htmlBlocks(marked.parse(body) as string, options)
  const own = /^title:[ \t]*["']?(.*?)["']?[ \t]*$/im.exec(fields ?? '')?.[1]
  const heading = blocks.find((block) => block.type === 'heading' && block.level === 1)
  const title = own || (heading?.type === 'heading' ? plainOf(heading.content) : '')
  return { ...(title && { title }), blocks }
}
