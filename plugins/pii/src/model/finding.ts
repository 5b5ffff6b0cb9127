import type { Finding } from '@sallyport/core'

/** A finding that may be joined with neighbours of another kind. */
export interface ModelFinding extends Finding {
  readonly kind?: string | undefined
  /** A number by its label. */
  readonly number?: true | undefined
}
