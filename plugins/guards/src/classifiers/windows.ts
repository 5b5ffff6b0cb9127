/** The size of windows in the units of a classifier: words or subwords. */
export interface WindowSize {
  readonly length: number
  /** The maximum distance between the beginnings of two windows. */
  readonly stride: number
}

/**
 * Cuts a list of items into windows, as ranges of indices. A window is longer only where a single item is. Without
 * items, there are no windows.
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
