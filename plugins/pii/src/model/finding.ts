import type { PartFinding } from '../matching/neighbours.js'

export interface ModelFinding extends PartFinding {
  /** Whether its label is that of a number. */
  readonly number?: boolean | undefined
}
