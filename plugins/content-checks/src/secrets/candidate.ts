import type { Span } from '@sallyport/kit/views'

/** A span that may be a secret. */
export interface Candidate extends Span {
  readonly type: string
  /** Undefined where it is not a secret, or not yet. */
  readonly score: number | undefined
  /** Up to where the text was read for the decision: at the end of the text, more text may change it. */
  readonly reach: number
}

/** The last units of a text, which may become a secret when more text comes. */
export const unfinishedCandidate = (text: string, units: number): Candidate => ({
  type: '',
  start: text.length - units,
  end: text.length,
  score: undefined,
  reach: text.length,
})

/** The end of the match of a sticky pattern at an offset; undefined where it does not match. */
export const endAt = (pattern: RegExp, text: string, at: number): number | undefined => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}
