import { median } from '../statistics.js'

/** Resident bytes of both processes. */
export interface Resident {
  readonly server: number
  readonly child: number
}

/** When so many texts had been served. */
export interface MemorySample extends Resident {
  readonly texts: number
}

/** Part of all texts, before a mark, whose samples count for it: one alone may come before or after a collection. */
const window = 0.05

/** When so many texts had been served. @param samples at least one per twentieth of the texts */
export const residentAt = (samples: readonly MemorySample[], texts: number): Resident => {
  const all = Math.max(...samples.map((sample) => sample.texts))
  const near = samples.filter((sample) => sample.texts > texts - all * window && sample.texts <= texts)
  return { server: median(near.map(({ server }) => server)), child: median(near.map(({ child }) => child)) }
}

/** Percent by which both together grew. */
export const growth = (early: Resident, late: Resident): number =>
  ((late.server + late.child) / (early.server + early.child) - 1) * 100
