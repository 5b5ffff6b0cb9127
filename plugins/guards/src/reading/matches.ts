import type { Pacer } from '@sallyport/kit/async'

/** A part of a text. */
export interface Match {
  readonly match: string
  readonly index: number
}

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
