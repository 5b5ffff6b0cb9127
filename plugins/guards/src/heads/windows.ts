/** How long texts are cut for heads, in units of theirs: words, or subwords. */
export interface WindowSize {
  readonly length: number
  /** Units from the beginning of one window to that of the next. */
  readonly stride: number
}

/**
 * Windows of a row of items, each of some units, as ranges of their places; one is longer where an item alone is. Empty
 * of no items.
 */
export function* windowsOf(
  count: number,
  unitsOf: (item: number) => number,
  { length, stride }: WindowSize,
): Generator<{ readonly from: number; readonly to: number }> {
  for (let from = 0, next = 0; from < count; from = Math.max(next, from + 1)) {
    let [to, units] = [from, 0]
    next = from
    while (to < count && units + unitsOf(to) <= length) {
      units += unitsOf(to)
      to += 1
      if (units <= stride) next = to
    }
    to = Math.max(to, from + 1)
    yield { from, to }
    if (to >= count) return
  }
}
