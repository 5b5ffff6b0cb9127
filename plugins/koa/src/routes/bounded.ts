/** Texts of one request that are checked at the same time. */
export const checksAtOnce = 8

/** Maps in order, so many at a time; the first failure is thrown, and nothing new begins after it. */
export const mapBounded = async <Item, Result>(
  items: readonly Item[],
  most: number,
  map: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  const queue = items.entries()
  let failed = false
  const work = async () => {
    for (const [index, item] of queue) {
      if (failed) return
      results[index] = await map(item, index)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(most, items.length) }, work))
  } catch (error) {
    failed = true
    throw error
  }
  return results
}
