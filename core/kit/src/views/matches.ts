import type { Pacer } from '../async/pacer.js'
import { characterStart } from '../text/code-points.js'

/** A part of a text that a pattern matches. */
interface Match {
  readonly match: string
  readonly index: number
}

/** UTF-16 code units that are searched between two pauses. */
const slice = 32_768

/** The bounds of a search in slices. */
interface SearchBounds {
  /** Where the first match may begin. */
  readonly from?: number
  /** UTF-16 code units before a match that its look-behind needs. */
  readonly before: number
  /** UTF-16 code units of the longest match, with what its look-ahead needs. */
  readonly maxLength: number
}

/** The matches of a global pattern, in order; yields undefined where others may have their turn. */
export function* matchesInTurns(
  text: string,
  pattern: RegExp,
  { from: first = 0, before, maxLength }: SearchBounds,
): Generator<Match | undefined> {
  for (let from = first; from < text.length;) {
    const to = characterStart(text, from + slice)
    const begin = Math.max(0, from - before)
    const window = text.slice(begin, to + maxLength)
    let next = to
    pattern.lastIndex = from - begin
    for (const { 0: match, index } of window.matchAll(pattern)) {
      if (begin + index >= to) break
      next = Math.max(to, begin + index + match.length)
      yield { match, index: begin + index }
    }
    from = next
    yield undefined
  }
}

/**
 * Matches of a pattern, joined where they are side by side. One pattern for all of them would not do: a repeated group
 * exhausts the backtracking stack on long texts.
 *
 * @param gap UTF-16 code units that may be between two matches that are joined
 */
export async function* joinedMatches(
  text: string,
  pattern: RegExp,
  gap: number,
  pacer: Pacer,
): AsyncGenerator<Match, void> {
  let [from, to] = [0, 0]
  for (const { 0: match, index } of text.matchAll(pattern)) {
    if (to > 0 && index - to > gap) yield { match: text.slice(from, to), index: from }
    if (to === 0 || index - to > gap) from = index
    to = index + match.length
    await pacer.pause()
  }
  if (to > 0) yield { match: text.slice(from, to), index: from }
}
