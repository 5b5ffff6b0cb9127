/** The middle 95 % of a measure over rows drawn anew; those of one group together; the same for the same rows. */
export const interval = <Row extends { readonly group?: string }>(
  rows: readonly Row[],
  measure: (rows: readonly Row[]) => number,
  times = 300,
): readonly [number, number] => {
  const byGroup = new Map<string, Row[]>()
  for (const [index, row] of rows.entries()) {
    const group = row.group ?? String(index)
    byGroup.set(group, [...(byGroup.get(group) ?? []), row])
  }
  const groups = [...byGroup.values()]
  const random = randomOf(1)
  const values = Array.from({ length: times }, () =>
    measure(groups.flatMap(() => groups[Math.floor(random() * groups.length)] ?? [])),
  ).sort((a, b) => a - b)
  return [values[Math.floor(times * 0.025)] ?? NaN, values[Math.floor(times * 0.975)] ?? NaN]
}

/** Numbers in 0..1, the same for the same seed (a linear congruential generator). */
const randomOf = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
