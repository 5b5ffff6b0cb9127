/** Of the sequence of labels. */

import { maxOf } from '@sallyport/kit/lists'
interface SmoothRules {
  /** What a change must gain in scores. */
  readonly change: number
  /** Places in a row that a label holds at least, except for the first and the last one. */
  readonly least: number
}

/** No path. */
const never = -Infinity

/**
 * The labels with the best sum of scores, in which none is held for less than a number of places: Viterbi's algorithm
 * over states of label and age, as minimum durations are kept in hidden Markov models of speakers.
 * @param scores of each label, place after place
 */
export const smoothLabels = (scores: readonly (readonly number[])[], { change, least }: SmoothRules): number[] => {
  const labels = scores[0]?.length ?? 0
  const ages = Math.max(1, least)
  const states = labels * ages
  // what is spoken when the recording of a stretch begins may have begun earlier
  let best = Float64Array.from({ length: states }, (_, state) =>
    isOld(state, ages) ? (scores[0]?.[Math.floor(state / ages)] ?? 0) : never,
  )
  const steps: Int32Array[] = []
  const origins = Array.from({ length: states }, (_, state) => predecessors(state, ages, labels))
  for (const row of scores.slice(1)) {
    const from = new Int32Array(states)
    const next = new Float64Array(states).fill(never)
    for (let state = 0; state < states; state += 1) {
      const label = Math.floor(state / ages)
      for (const origin of origins[state] ?? []) {
        const changes = Math.floor(origin / ages) !== label
        const value = (best[origin] ?? never) + (row[label] ?? 0) - (changes ? change : 0)
        if (value <= (next[state] ?? never)) continue
        next[state] = value
        from[state] = origin
      }
    }
    steps.push(from)
    best = next
  }
  return path(best, steps).map((state) => Math.floor(state / ages))
}

const isOld = (state: number, ages: number) => state % ages === ages - 1

/** Labels change only when they are old, and are new then; an old one may stay. */
const predecessors = (state: number, ages: number, labels: number): number[] => {
  const label = Math.floor(state / ages)
  const stays = isOld(state, ages) ? [state] : []
  if (state % ages > 0) return [...stays, state - 1]
  const others = Array.from({ length: labels }, (_, other) => other).filter((other) => other !== label)
  return [...stays, ...others.map((other) => other * ages + ages - 1)]
}

const path = (best: Float64Array, steps: readonly Int32Array[]): number[] => {
  if (!best.length) return []
  let state = best.indexOf(maxOf(best))
  const states = [state]
  for (const from of [...steps].reverse()) states.push((state = from[state] ?? 0))
  return states.reverse()
}
