/** Rows on which checks of content are measured. */

import type { Check } from '@sallyport/core'

export interface Row {
  readonly request: {
    readonly text: string
    readonly reference?: string
    readonly options?: Readonly<Record<string, unknown>>
  }
  readonly bad: boolean
  /** By which rows are told of one by one. */
  readonly kind: string
  /** Whether nobody looked at it while thresholds were chosen. */
  readonly heldOut: boolean
}

/** A check with its rows. */
export interface Measured {
  readonly check: Check
  readonly rows: () => readonly Row[] | Promise<readonly Row[]>
}

/** Every second one, of each kind. */
export const alternately = (at: number): boolean => at % 2 === 1
