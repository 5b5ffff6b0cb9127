import { median } from '../statistics.js'

/** Resident bytes when so many texts had been served. */
export interface MemorySample {
  readonly texts: number
  readonly server: number
  readonly child: number
}

export interface MemoryGrowth {
  /** When a tenth of the texts, and when all of them had been served. */
  readonly early: Omit<MemorySample, 'texts'>
  readonly late: Omit<MemorySample, 'texts'>
  /** By which the sum of both processes grew in between. */
  readonly percent: number
}

/** Part of the texts before a mark whose samples count for it: one alone may come before or after a collection. */
const window = 0.05

/** @param samples at least one per twentieth of the texts before each mark */
export const memoryGrowth = (samples: readonly MemorySample[]): MemoryGrowth => {
  const all = Math.max(...samples.map(({ texts }) => texts))
  const at = (mark: number) => {
    const near = samples.filter(({ texts }) => texts > mark - all * window && texts <= mark)
    const middle = (read: (sample: MemorySample) => number) => median(near.map(read))
    return { server: middle(({ server }) => server), child: middle(({ child }) => child) }
  }
  const [early, late] = [at(all / 10), at(all)]
  const growth = (late.server + late.child) / (early.server + early.child) - 1
  return { early, late, percent: growth * 100 }
}
