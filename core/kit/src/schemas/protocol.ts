/** What the kernel and its thread of schemas say to each other. */

import type { Path } from '../json/data.js'

/** What is wrong, and where in the schema or in the answer. */
export interface Flaw {
  readonly path: Path
  /** Goes on from the name of the place: `must be an integer`. */
  readonly problem: string
}

export interface Problem extends Flaw {
  /** What it is a problem of. `complexity`: of the schema; on a less busy machine it may be none. */
  readonly kind: 'schema' | 'answer' | 'complexity'
}

interface OfSchema {
  /** JSON. */
  readonly schema: string
  /** Of the schema. */
  readonly hash: string
}

/** `inspect`: whether it is a schema. `compile`: and whether answers can be checked against it. `validate`: an answer. */
export type Job =
  | (OfSchema & { readonly kind: 'inspect' | 'compile' })
  | (OfSchema & { readonly kind: 'validate'; readonly answer: string })

export const tooComplex: Problem = {
  kind: 'complexity',
  path: [],
  problem:
    'is too complex to check answers against it in time: make it smaller, or its patterns and alternatives fewer',
}
