import { asIgnored, asText } from './state.js'
import type { ParserOutput, ParserState } from './state.js'
import type { ReasoningSyntax } from './syntax.js'

export const plainText: ParserState = { take: (text) => ({ text, rest: '', next: plainText }), finish: asText }

/** Reads text up to a mark, after which another state follows. */
export const textUntil = (mark: string, next: ParserState): ParserState => {
  const state: ParserState = {
    take: (text) => {
      const split = splitAtMark(text, mark)
      if ('after' in split) return { text: split.before, rest: split.after, next }
      return split.before === '' ? undefined : { text: split.before, rest: split.pending, next: state }
    },
    finish: asText,
  }
  return state
}

/** Reads reasoning, which the answer begins with or the prompt has opened, and then the answer. */
export const withReasoning = ({ begin, end, opened }: ReasoningSyntax, answer: ParserState): ParserState => {
  const mark = begin.trim()
  const reasoning = reasoningUntil(end.trim(), withoutSpace(answer))
  const beginning: ParserState = {
    take: (text) => {
      if (text.startsWith(mark)) return { rest: text.slice(mark.length), next: withoutSpace(reasoning) }
      return mark.startsWith(text) ? undefined : { rest: text, next: answer }
    },
    finish: asText,
  }
  return withoutSpace(opened ? reasoning : beginning)
}

const reasoningUntil = (mark: string, next: ParserState): ParserState => {
  const state: ParserState = {
    take: (text) => {
      const split = splitAtMark(text, mark)
      const reasoning = split.before.trimEnd()
      if ('after' in split) return { ...asReasoning(reasoning), rest: split.after, next }
      return reasoning === ''
        ? undefined
        : { ...asReasoning(reasoning), rest: text.slice(reasoning.length), next: state }
    },
    finish: (text) => asReasoning(text.trimEnd()),
  }
  return state
}

const asReasoning = (reasoning: string): ParserOutput => (reasoning === '' ? {} : { chunk: { reasoning } })

/** Skips white space. */
const withoutSpace = (next: ParserState): ParserState => ({
  take: (text) => {
    const rest = text.trimStart()
    return rest === '' ? undefined : { rest, next }
  },
  finish: asIgnored,
})

/** The text before a mark, and the text after it; without a mark, the end of the text that may be its beginning. */
type Split = { readonly before: string; readonly after: string } | { readonly before: string; readonly pending: string }

/** Splits a text that is not over at a mark. */
const splitAtMark = (text: string, mark: string): Split => {
  const at = text.indexOf(mark)
  if (at >= 0) return { before: text.slice(0, at), after: text.slice(at + mark.length) }
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1) {
    const pending = text.slice(-length)
    if (mark.startsWith(pending)) return { before: text.slice(0, -length), pending }
  }
  return { before: text, pending: '' }
}
