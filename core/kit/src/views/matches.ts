import type { Pacer } from '../async/pacer.js'

/** A part of a text. */
interface Match {
  readonly match: string
  readonly index: number
}

/** UTF-16 units that are searched between two pauses. */
const slice = 32_768

/** How a long text is searched in slices. */
interface Range {
  /** Where the first match may begin. */
  readonly from?: number
  /** UTF-16 units that are looked at before a match. */
  readonly before: number
  /** UTF-16 units of the longest match, with what is looked at behind it. */
  readonly longest: number
}

/** What a global pattern finds, in order; undefined where others may have their turn. */
export function* matchesInTurns(
  text: string,
  pattern: RegExp,
  { from: first = 0, before, longest }: Range,
): Generator<Match | undefined> {
  for (let from = first; from < text.length;) {
    const to = wholeCharacter(text, from + slice)
    const begin = Math.max(0, from - before)
    const window = text.slice(begin, to + longest)
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

/** The position, or the next one where it is inside a surrogate pair. */
const wholeCharacter = (text: string, position: number): number =>
  (text.codePointAt(position - 1) ?? 0) > 0xffff ? position + 1 : position

/**
 * Matches of a pattern, as one where they stand side by side: a pattern that repeats what is more than a character must
 * say how often, or long texts exhaust the stack that it goes back by.
 *
 * @param gap UTF-16 units that may stand between two that are one
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
