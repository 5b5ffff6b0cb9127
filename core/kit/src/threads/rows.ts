import { mapInTurns } from '../async/pacer.js'
import type { Pacer } from '../async/pacer.js'

/** Rows of numbers, as they cross between threads: that many objects would hold the event loop while they are read. */
export interface Rows {
  /** Numbers in a row. */
  readonly width: number
  readonly numbers: Float64Array
}

/** @param rowOf as many numbers for each item */
export const packRows = <Item>(
  items: readonly Item[],
  width: number,
  rowOf: (item: Item) => readonly number[],
): Rows => {
  const numbers = new Float64Array(items.length * width)
  for (const [at, item] of items.entries()) numbers.set(rowOf(item), at * width)
  return { width, numbers }
}

/** The items again, in turns. */
export const unpackRows = <Item>(
  { width, numbers }: Rows,
  pacer: Pacer,
  itemOf: (row: Float64Array) => Item,
): Promise<Item[]> => {
  const starts = Array.from({ length: width ? numbers.length / width : 0 }, (_, at) => at * width)
  return mapInTurns(starts, pacer, (start) => itemOf(numbers.subarray(start, start + width)))
}
