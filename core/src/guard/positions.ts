import { countUpTo } from './sorted.js'

/** Where the units of a text stood in its source, as plain data: the units at which more or fewer than one went by. */
export interface Positions {
  /** Ascending, from 0 on. */
  readonly units: Float64Array
  /** Of each of them. */
  readonly sources: Float64Array
}

/**
 * @param length of the text
 * @param sourceOf of a unit, and of the end; what a unit was written as has one unit at least
 */
export const positionsOf = (length: number, sourceOf: (unit: number) => number): Positions => {
  const [units, sources]: [number[], number[]] = [[0], [sourceOf(0)]]
  /** Between two units that are as far apart in the source, nothing else stood. */
  const split = (from: number, atFrom: number, to: number, atTo: number): void => {
    if (atTo - atFrom === to - from) return
    if (to - from === 1) {
      units.push(to)
      sources.push(atTo)
      return
    }
    const middle = (from + to) >> 1
    const atMiddle = sourceOf(middle)
    split(from, atFrom, middle, atMiddle)
    split(middle, atMiddle, to, atTo)
  }
  split(0, sources[0] ?? 0, length, sourceOf(length))
  return { units: Float64Array.from(units), sources: Float64Array.from(sources) }
}

export const positionIn = ({ units, sources }: Positions, unit: number): number => {
  const last = countUpTo(units, unit) - 1
  return (sources[last] ?? 0) + unit - (units[last] ?? 0)
}
