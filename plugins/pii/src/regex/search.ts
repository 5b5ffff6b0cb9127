import type { Span } from '@sallyport/kit/views'
import type { CompiledPattern } from './compile.js'

/** A match of a pattern, in UTF-16 code units. */
export interface Match extends Span {
  /** The match without its groups `lead` and `trail`. */
  readonly inner: Span
}

export interface SearchedPattern extends CompiledPattern {
  /** Whether overlapping matches are found, too. */
  readonly overlapping: boolean
}

/** How many UTF-16 code units are searched between two pauses. */
const pauseInterval = 32_768

/**
 * Yields all matches, and undefined where the caller may pause.
 * @param first the first offset at which matches may begin
 * @param grows whether the text may go on: then an end that could become a match is one, too
 */
export function* matchesOf(
  text: string,
  pattern: SearchedPattern,
  { first = 0, grows = false }: { readonly first?: number; readonly grows?: boolean } = {},
): Generator<Match | undefined> {
  const { maxLength, lookbehindLength, lookaheadLength } = pattern
  // Matches that begin before this offset do not depend on what follows the text.
  const tail = grows ? Math.max(0, text.length - maxLength - lookaheadLength) : text.length
  let from = first
  for (let to = first; to < text.length;) {
    to = from < tail ? Math.min(tail, from + pauseInterval) : text.length
    const begin = Math.max(0, from - lookbehindLength)
    const window = text.slice(begin, to === text.length ? to : to + maxLength + lookaheadLength)
    const regex = grows && to > tail ? pattern.partial : pattern.regex
    let next = from
    for (regex.lastIndex = from - begin; ;) {
      const found = regex.exec(window)
      if (!found || found.index + begin >= to) break
      const match = matchAt(found, begin, first)
      if (match.end > match.start) yield match
      const second = found.index + ((window.codePointAt(found.index) ?? 0) > 0xffff ? 2 : 1)
      const resume = pattern.overlapping ? second : Math.max(match.end - begin, second)
      next = resume + begin
      yield undefined
      regex.lastIndex = resume
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
