import { mapInTurns } from '../async/pacer.js'
import type { Pacer } from '../async/pacer.js'

/** Rows of numbers, as they cross between threads: to deserialise as many objects would block the event loop. */
export interface Rows {
  /** Numbers in a row. */
  readonly width: number
  readonly numbers: Float64Array
}

/** @param width numbers in a row, as many as `rowOf` returns */
export const packRows = <Item>(
  items: readonly Item[],
  width: number,
  rowOf: (item: Item) => readonly number[],
): Rows => {
  const numbers = new Float64Array(items.length * width)
  for (const [at, item] of items.entries()) numbers.set(rowOf(item), at * width)
  return { width, numbers }
}

/** Makes the items of rows, in turns of the event loop. */
export const unpackRows = <Item>(
  { width, numbers }: Rows,
  pacer: Pacer,
  itemOf: (row: Float64Array) => Item,
): Promise<Item[]> => {
  const starts = Array.from({ length: width ? numbers.length / width : 0 }, (_, at) => at * width)
  return mapInTurns(starts, pacer, (start) => itemOf(numbers.subarray(start, start + width)))
}
