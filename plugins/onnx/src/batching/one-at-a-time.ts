import type { Requester } from '@sallyport/kit/async'
import { Batcher } from './batcher.js'

/**
 * Evaluates items one at a time; tenants take turns.
 * @param maxQueued how many items may wait, of all calls together
 */
export const oneAtATime = <Item, Result>(maxQueued: number, evaluate: (item: Item) => Promise<Result>) => {
  const batcher = new Batcher<Item, Result>({
    maxTokens: 1,
    maxItems: 1,
    maxQueued,
    sizeOf: () => 1,
    evaluate: (items) => Promise.all(items.map(evaluate)),
  })
  /** @throws overloaded; the signal's reason; what evaluating throws */
  return (items: readonly Item[], requester: Requester): Promise<Result[]> =>
    batcher.run(items, (item) => item, requester)
}
