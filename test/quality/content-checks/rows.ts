/** Rows on which checks of content are measured. */

import type { Check, InspectionRequest, Safeguard } from '@sallyport/core'

export interface Row {
  readonly request: InspectionRequest
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
  /** Where it is no model that the plugin brings. */
  readonly model?: string
}

export type Detector = Pick<Safeguard, 'inspect'>

/** Every second one, of each kind. */
export const alternately = (at: number): boolean => at % 2 === 1
