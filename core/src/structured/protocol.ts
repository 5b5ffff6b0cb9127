/** What the kernel and its thread of schemas say to each other. */

import type { Path } from '../config/data.js'

/** What is wrong, and where in the schema or in the answer. */
export interface Problem {
  readonly path: Path
  /** Goes on from the name of the place: `must be an integer`. */
  readonly problem: string
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

/** Undefined where nothing is wrong. */
export interface Reply {
  readonly problem: Problem | undefined
}

/** The first thing that the thread says. */
export const ready = 'ready'

export const tooComplex: Problem = {
  path: [],
  problem:
    'is too complex to check answers against it in time: make it smaller, or its patterns and alternatives fewer',
}
