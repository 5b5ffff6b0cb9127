import { randomNumbers } from '@sallyport/kit/numbers'
/** Order statistics, and how far a figure can be trusted. */

export const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b)

/** The value below which a share of the values lies, 0..1, interpolated; NaN of nothing. */
export const quantile = (values: readonly number[], share: number): number => {
  const ordered = sorted(values)
  const position = (ordered.length - 1) * share
  const below = ordered[Math.floor(position)] ?? NaN
  const above = ordered[Math.ceil(position)] ?? NaN
  return below + (above - below) * (position - Math.floor(position))
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export interface Summary {
  readonly median: number
  readonly min: number
  readonly max: number
}

export const summarise = (values: readonly number[]): Summary => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
})

export type Interval = readonly [low: number, high: number]

/**
 * Percentile bootstrap of the median: where it lies with a probability of 95 %, as far as the rounds tell. The same
 * values give the same interval.
 */
export const medianInterval = (values: readonly number[], resamples = 2000): Interval => {
  const random = randomNumbers(values.length)
  const medians = Array.from({ length: resamples }, () =>
    median(values.map(() => values[Math.floor(random() * values.length)] ?? NaN)),
  )
  return [quantile(medians, 0.025), quantile(medians, 0.975)]
}

export interface Comparison {
  /** One value per pair. */
  readonly rounds: readonly number[]
  readonly interval: Interval
}

/** Compares values measured one after the other in the same round, so that drift of the machine cancels out. */
const comparison =
  (compare: (ours: number, theirs: number) => number) =>
  (ours: readonly number[], theirs: readonly number[]): Comparison => {
    const rounds = ours.flatMap((value, round) => {
      const other = theirs[round]
      return other === undefined ? [] : [compare(value, other)]
    })
    return { rounds, interval: medianInterval(rounds) }
  }

export const ratios = comparison((ours, theirs) => ours / theirs)
export const differences = comparison((ours, theirs) => ours - theirs)
