import type { PartFinding } from '../matching/neighbours.js'

export interface ModelFinding extends PartFinding {
  /** A number by its label. */
  readonly number?: boolean | undefined
}
