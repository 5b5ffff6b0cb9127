import type { Call } from '@sallyport/core'
import pMap from 'p-map'
import { Pacer } from './pacer.js'

/**
 * Maps with a limit of concurrency; the results are in the order of the items. The first failure is thrown, and
 * nothing begins after it.
 */
export const mapBounded = <Item, Result>(
  items: Iterable<Item>,
  concurrency: number,
  map: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> => pMap(items, (item, index) => map(item, index), { concurrency })

/**
 * Maps like {@link mapBounded}, and pauses before each item: the work may be done without any wait, and others must get
 * their turns of the event loop.
 * @throws the signal's reason when aborted
 */
export const mapPaced = <Item, Result>(
  items: Iterable<Item>,
  concurrency: number,
  call: Pick<Call, 'signal' | 'tenant'>,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const pacer = new Pacer(call)
  return mapBounded(items, concurrency, async (item) => {
    await pacer.pause()
    return map(item)
  })
}
