import { Marked } from 'marked'
import type { MarkedExtension, Tokens } from 'marked'
import { occurrences } from '../element-budget.js'
import type { DocumentTree, Heading } from '../model/blocks.js'
import { plainOf } from '../model/inlines.js'
import { htmlBlocks } from './html/index.js'
import type { HtmlOptions } from './html/walker.js'

/** Characters that may begin elements: lines, cells, images, emphasis, code, tags. */
const elementMarks = '\n|[*_`<'

/** Reads GitHub's Markdown; of front matter, only the title is used. */
export const markdownTree = (source: string, options: HtmlOptions): DocumentTree => {
  const front = /^---\n([\s\S]*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(source)
  const [matter = '', fields = ''] = front && /^\w[\w-]*:/m.test(front[1] ?? '') ? front : []
  const body = source.slice(matter.length)
  // the generated HTML is counted as well
  options.elements.check(occurrences(body, elementMarks))
  const marked = new Marked({ gfm: true, async: false }, footnotes())
  const blocks = htmlBlocks(marked.parse(body) as string, options)
  const own = /^title:[ \t]*["']?(.*?)["']?[ \t]*$/im.exec(fields)?.[1]
  const heading = blocks.find((block): block is Heading => block.type === 'heading' && block.level === 1)
  const title = own || (heading ? plainOf(heading.content) : '')
  return { ...(title && { title }), blocks }
}

/** Max characters of a paragraph in which a note that begins without an empty line is searched. */
const maxLookahead = 8192

/** Footnotes as GitHub reads them: `[^1]` and, at the start of a line, `[^1]: text`. */
const footnotes = (): MarkedExtension => {
  const defined = new Set<string>()
  return {
    extensions: [
      {
        name: 'footnote',
        level: 'block',
        // called for each paragraph, so it searches that one only
        start: (source) => {
          const near = source.slice(0, maxLookahead)
          const end = near.search(/\n[ \t]*\n/)
          const before = near.slice(0, end < 0 ? near.length : end).search(/\n\[\^[^\]\n]+\]:/)
          return before < 0 ? undefined : before + 1
        },
        tokenizer(source) {
          const match =
            /^\[\^([^\]\s]+)\]:[ \t]*((?:[^\n]*)(?:\n+(?: {2,4}|\t)[^\n]*|\n(?!\s*\n|\[\^|#|[-*+>] )[^\n]+)*)(?:\n|$)/.exec(
              source,
            )
          if (!match) return undefined
          const [raw, label = '', body = ''] = match
          defined.add(label)
          const tokens = this.lexer.blockTokens(body.replace(/^(?: {4}|\t)/gm, ''), [])
          return { type: 'footnote', raw, label, tokens }
        },
        renderer(token) {
          const { label, tokens = [] } = token as Tokens.Generic & { label: string }
          const id = encodeURIComponent(label)
          return `<aside id="fn-${id}">${this.parser.parse(tokens)}<a href="#fnref-${id}"></a></aside>\n`
        },
      },
      {
        name: 'footnoteReference',
        level: 'inline',
        tokenizer(source) {
          const match = /^\[\^([^\]\s]+)\]/.exec(source)
          return match ? { type: 'footnoteReference', raw: match[0], label: match[1] } : undefined
        },
        renderer(token) {
          const { label } = token as Tokens.Generic & { label: string }
          const id = encodeURIComponent(label)
          return defined.has(label) ? `<a id="fnref-${id}" href="#fn-${id}"></a>` : `[^${label}]`
        },
      },
    ],
  }
}
