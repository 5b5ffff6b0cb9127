import type { Call } from '@sallyport/core'
import { Pacer } from './pacer.js'

/**
 * Maps with at most so many under way at the same time; the results stand in the order of the items. The first failure
 * is thrown, and nothing begins after it.
 */
export const mapBounded = async <Item, Result>(
  items: Iterable<Item>,
  atOnce: number,
  map: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  const queue = items[Symbol.iterator]()
  let [begun, failed] = [0, false]
  const lane = async () => {
    for (let next = queue.next(); !next.done && !failed; next = queue.next()) {
      const index = begun++
      try {
        results[index] = await map(next.value, index)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return results
}

/** The same for work that does not wait for anything: others get turns in between. @throws the signal's reason when aborted */
export const mapPaced = <Item, Result>(
  items: Iterable<Item>,
  atOnce: number,
  call: Pick<Call, 'signal' | 'tenant'>,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const pacer = new Pacer(call)
  return mapBounded(items, atOnce, async (item) => {
    await pacer.pause()
    return map(item)
  })
}
