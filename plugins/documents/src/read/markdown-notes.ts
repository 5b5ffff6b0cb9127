import type { MarkedExtension, Tokens } from 'marked'

/** Characters within which a paragraph is ended by a note that follows it without an empty line. */
const longestParagraph = 8192

/** Footnotes as GitHub writes them: `[^1]` and, in a paragraph of their own, `[^1]: text`. */
export const footnotes = (): MarkedExtension => {
  const defined = new Map<string, string>()
  return {
    extensions: [
      {
        name: 'footnote',
        level: 'block',
        // of a paragraph, not of all that is left: it is asked at each
        start: (source) => {
          const near = source.slice(0, longestParagraph)
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
          defined.set(label, label)
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
