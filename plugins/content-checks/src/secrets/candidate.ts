import type { Span } from '@sallyport/kit/views'

/** What may be a secret of one form, somewhere in a text. */
export interface Candidate extends Span {
  readonly type: string
  /** Undefined where it is none as it stands. */
  readonly score: number | undefined
  /** Up to where the text has been read to tell: where that is its end, what follows may make it another one. */
  readonly reach: number
}

/** The last units of a text, which may become a secret when it goes on. */
export const unfinished = (text: string, units: number): Candidate => ({
  type: '',
  start: text.length - units,
  end: text.length,
  score: undefined,
  reach: text.length,
})

/** Where a sticky pattern that matches at a place ends there; undefined where it does not match. */
export const endAt = (pattern: RegExp, text: string, at: number): number | undefined => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}
