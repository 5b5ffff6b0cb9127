/**
 * Maps with at most so many under way at the same time; the results stand in the order of the items. The first failure
 * is thrown, and nothing begins after it.
 */
export const mapBounded = async <Item, Result>(
  items: readonly Item[],
  atOnce: number,
  map: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  const queue = items.entries()
  let failed = false
  const lane = async () => {
    for (const [index, item] of queue) {
      if (failed) return
      try {
        results[index] = await map(item, index)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane))
  return results
}
