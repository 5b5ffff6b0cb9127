import type { Comparison } from './features.js'

/** What became of one claim. */
export interface Judged {
  /** In UTF-16 units of the text. */
  readonly start: number
  readonly end: number
  /** 1 is not supported. */
  readonly score: number
  readonly comparison: Comparison
}
