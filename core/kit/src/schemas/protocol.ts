/** The messages between the kernel and its thread for schemas. */

import type { Path } from '../json/data.js'

/** A fault, and its place in the schema or in the answer. */
export interface Flaw {
  readonly path: Path
  /** Completes a sentence that begins with the name of the place: `must be an integer`. */
  readonly problem: string
}

export interface SchemaProblem extends Flaw {
  /** `complexity`: the schema takes too long, which on a less busy machine it may not. */
  readonly kind: 'schema' | 'answer' | 'complexity'
}

interface SchemaJob {
  /** JSON. */
  readonly schema: string
  readonly hash: string
}

/**
 * `inspect` checks that it is a schema, `compile` that answers can be checked against it, and `validate` checks an
 * answer.
 */
export type Job =
  | (SchemaJob & { readonly kind: 'inspect' | 'compile' })
  | (SchemaJob & { readonly kind: 'validate'; readonly answer: string })

export const tooComplex: SchemaProblem = {
  kind: 'complexity',
  path: [],
  problem:
    'is too complex to check answers against it in time: make it smaller, or its patterns and alternatives fewer',
}
