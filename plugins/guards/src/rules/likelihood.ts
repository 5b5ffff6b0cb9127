import type { Family } from './family.js'

/** How likely one of several families is right, each counted once. */
export const likelihood = (families: readonly Family[]): number =>
  1 - [...new Set(families)].reduce((wrong, { score }) => wrong * (1 - score), 1)
