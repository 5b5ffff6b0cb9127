import type { ComparedWord } from './comparable.js'

/** What a content word of a claim is. */
export type Kind = 'number' | 'date' | 'name' | 'word'

/** A content word of a claim. */
export interface Said extends ComparedWord {
  readonly kind: Kind
  readonly weight: number
  /** Whether the reference has it. */
  readonly there: boolean
}
