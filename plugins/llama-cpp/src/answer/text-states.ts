import { splitAtMark } from './split-at-mark.js'
import { asNothing, asText } from './state.js'
import type { Output, State } from './state.js'
import type { ThoughtSyntax } from './syntax.js'

export const plainText: State = { take: (text) => ({ said: text, rest: '', next: plainText }), left: asText }

/** Text, and another state behind the first mark. */
export const textUntil = (mark: string, next: State): State => {
  const state: State = {
    take: (text) => {
      const split = splitAtMark(text, mark)
      if ('behind' in split) return { said: split.before, rest: split.behind, next }
      return split.before === '' ? undefined : { said: split.before, rest: split.held, next: state }
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
