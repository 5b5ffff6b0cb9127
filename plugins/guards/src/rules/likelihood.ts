import type { Family } from './family.js'

/** A family that fits, and how much of its score counts, in 0..1. */
interface Evidence {
  readonly family: Family
  readonly share?: number
}

/** How likely one of several families is right, each counted once. */
export const likelihood = (found: readonly Evidence[]): number => {
  const scores = new Map<Family, number>()
  for (const { family, share = 1 } of found) scores.set(family, Math.max(scores.get(family) ?? 0, family.score * share))
  return 1 - [...scores.values()].reduce((wrong, score) => wrong * (1 - score), 1)
}
