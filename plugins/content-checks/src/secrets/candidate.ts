/** What may be a secret of one form, somewhere in a text. Half-open, in UTF-16 code units. */
export interface Candidate {
  readonly type: string
  readonly start: number
  readonly end: number
  /** Undefined where it is none as it stands. */
  readonly score: number | undefined
  /** Up to where the text has been read to tell: where that is its end, what follows may make it another one. */
  readonly reach: number
}

/** UTF-16 units that are searched between two pauses. */
const slice = 32_768

/**
 * The matches of a pattern, in turns: yields undefined where others may have theirs.
 * @param anchor global; what it matches has at most `longest` units, and it looks one unit back and `longest` on
 */
export function* anchorsIn(text: string, anchor: RegExp, longest: number): Generator<RegExpExecArray | undefined> {
  for (let from = 0; from < text.length; from += slice) {
    const begin = Math.max(0, from - 1)
    const window = text.slice(begin, from + slice + 2 * longest)
    anchor.lastIndex = from - begin
    for (let found = anchor.exec(window); found; found = anchor.exec(window)) {
      if (found.index + begin >= from + slice) break
      const resumed = anchor.lastIndex
      found.index += begin
      yield found
      anchor.lastIndex = resumed
    }
    yield undefined
  }
}

/** Where a sticky pattern that matches at a place ends there; undefined where it does not match. */
export const endAt = (pattern: RegExp, text: string, at: number): number | undefined => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}
