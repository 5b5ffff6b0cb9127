import type { FindingWithKind } from '../matching/neighbours.js'

export interface ModelFinding extends FindingWithKind {
  /** Whether its label is that of a personal number. */
  readonly isPersonalNumber?: boolean | undefined
}
