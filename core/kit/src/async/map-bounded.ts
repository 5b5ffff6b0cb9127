import pMap from 'p-map'
import { Pacer } from './pacer.js'
import type { Requester } from './slots.js'

/**
 * Maps with a limit of concurrency; the results are in the order of the items. The first failure is thrown, and
 * nothing begins after it.
 */
export const mapBounded = <Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  concurrency: number,
  map: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> => pMap(items, (item, index) => map(item, index), { concurrency })

/**
 * Maps like {@link mapBounded}, and pauses before each item is made: neither to make one nor to map it need wait for
 * anything, and others must get their turns of the event loop.
 * @throws the signal's reason when aborted
 */
export const mapPaced = <Item, Result>(
  items: Iterable<Item>,
  concurrency: number,
  call: Requester,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> => mapBounded(pausedBetween(items, new Pacer(call)), concurrency, map)

/** Asks before it awaits: calls that began with `await pacer.pause()` would all be let through before one has worked. */
async function* pausedBetween<Item>(items: Iterable<Item>, pacer: Pacer): AsyncGenerator<Item> {
  if (pacer.isDue) await pacer.pause()
  for (const item of items) {
    yield item
    if (pacer.isDue) await pacer.pause()
  }
}
