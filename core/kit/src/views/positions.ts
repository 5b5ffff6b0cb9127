import { countUpTo } from '../lists/count-up-to.js'

/**
 * Where each UTF-16 code unit of a text stood in its source, as plain data. Only units at which the offset changes are
 * kept.
 */
export interface Positions {
  /** The units, ascending from 0. */
  readonly units: Float64Array
  /** Where each of them stood in the source. */
  readonly sources: Float64Array
}

/**
 * @param length of the text
 * @param sourceOf where a unit, or the end of the text, stood in the source; each unit was written with one at least
 */
export const positionsOf = (length: number, sourceOf: (unit: number) => number): Positions => {
  const [units, sources]: [number[], number[]] = [[0], [sourceOf(0)]]
  /** Two units that are equally far apart in the source have an unchanged text between them. */
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
