import { asNothing, asText } from './state.js'
import type { Output, State } from './state.js'
import type { ThoughtSyntax } from './syntax.js'

export const plainText: State = { take: (text) => ({ text: text, rest: '', next: plainText }), left: asText }

/** Text, and another state behind the first mark. */
export const textUntil = (mark: string, next: State): State => {
  const state: State = {
    take: (text) => {
      const split = splitAtMark(text, mark)
      if ('behind' in split) return { text: split.before, rest: split.behind, next }
      return split.before === '' ? undefined : { text: split.before, rest: split.pending, next: state }
    },
    left: asText,
  }
  return state
}

/** Thoughts, which the answer begins with or the prompt has begun, and the answer. */
export const withThoughts = ({ begin, end, opened }: ThoughtSyntax, answer: State): State => {
  const mark = begin.trim()
  const thoughts = thoughtsUntil(end.trim(), withoutSpace(answer))
  const beginning: State = {
    take: (text) => {
      if (text.startsWith(mark)) return { rest: text.slice(mark.length), next: withoutSpace(thoughts) }
      return mark.startsWith(text) ? undefined : { rest: text, next: answer }
    },
    left: asText,
  }
  return withoutSpace(opened ? thoughts : beginning)
}

const thoughtsUntil = (mark: string, next: State): State => {
  const state: State = {
    take: (text) => {
      const split = splitAtMark(text, mark)
      const thought = split.before.trimEnd()
      if ('behind' in split) return { ...asThought(thought), rest: split.behind, next }
      return thought === '' ? undefined : { ...asThought(thought), rest: text.slice(thought.length), next: state }
    },
    left: (text) => asThought(text.trimEnd()),
  }
  return state
}

const asThought = (thought: string): Output => (thought === '' ? {} : { chunk: { reasoning: thought } })

/** White space before it belongs to nothing. */
const withoutSpace = (next: State): State => ({
  take: (text) => {
    const rest = text.trimStart()
    return rest === '' ? undefined : { rest, next }
  },
  left: asNothing,
})

/** Text before a mark; what stands behind it where it is there, or else may be its beginning. */
type Split =
  { readonly before: string; readonly behind: string } | { readonly before: string; readonly pending: string }

/** Splits a text that is not over at a mark. */
const splitAtMark = (text: string, mark: string): Split => {
  const at = text.indexOf(mark)
  if (at >= 0) return { before: text.slice(0, at), behind: text.slice(at + mark.length) }
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1) {
    const pending = text.slice(-length)
    if (mark.startsWith(pending)) return { before: text.slice(0, -length), pending }
  }
  return { before: text, pending: '' }
}
