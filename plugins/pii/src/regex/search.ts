import type { Span } from '@sallyport/kit/views'
import type { CompiledPattern } from './compile.js'

/** A match of a pattern, in UTF-16 units. */
export interface Match extends Span {
  /** The part of the match that is found: without what leads to it and what trails. */
  readonly inner: Span
}

export interface SearchedPattern extends CompiledPattern {
  /** Matches are looked for inside each other, too. */
  readonly overlapping: boolean
}

/** UTF-16 units that are searched between two pauses. */
const slice = 32_768

/**
 * All matches, in turns: yields undefined where others may have theirs.
 * @param first where they may begin
 * @param grows whether the text may go on: matches then are also what could become one, to the end of the text
 */
export function* matchesOf(
  text: string,
  pattern: SearchedPattern,
  { first = 0, grows = false }: { readonly first?: number; readonly grows?: boolean } = {},
): Generator<Match | undefined> {
  const { maxLength, before, behind } = pattern
  // What begins before that is decided, however the text goes on.
  const tail = grows ? Math.max(0, text.length - maxLength - behind) : text.length
  let from = first
  for (let to = first; to < text.length;) {
    to = from < tail ? Math.min(tail, from + slice) : text.length
    const begin = Math.max(0, from - before)
    const window = text.slice(begin, to === text.length ? to : to + maxLength + behind)
    const regex = grows && to > tail ? pattern.growing : pattern.regex
    let next = from
    for (regex.lastIndex = from - begin; ;) {
      const found = regex.exec(window)
      if (!found || found.index + begin >= to) break
      const match = matchAt(found, begin, first)
      if (match.end > match.start) yield match
      const second = found.index + ((window.codePointAt(found.index) ?? 0) > 0xffff ? 2 : 1)
      const resumed = pattern.overlapping ? second : Math.max(match.end - begin, second)
      next = resumed + begin
      yield undefined
      regex.lastIndex = resumed
    }
    from = Math.max(to, next)
    yield undefined
  }
}

const matchAt = ({ 0: { length }, index, groups }: RegExpExecArray, begin: number, first: number): Match => {
  const end = index + begin + length
  const start = Math.max(first, index + begin - (groups?.head?.length ?? 0))
  const inner = { start: start + (groups?.lead?.length ?? 0), end: end - (groups?.trail?.length ?? 0) }
  return { start, end, inner }
}
