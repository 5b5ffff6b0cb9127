import type { Requester } from '@sallyport/kit/async'
import { Batcher } from './batcher.js'

/**
 * Evaluates items one after the other, in turns between callers.
 * @param queue how many items may wait, of all calls together
 */
export const oneAtATime = <Item, Result>(queue: number, evaluate: (item: Item) => Promise<Result>) => {
  const batcher = new Batcher<Item, Result>({
    tokens: 1,
    items: 1,
    queue,
    sizeOf: () => 1,
    evaluate: (items) => Promise.all(items.map(evaluate)),
  })
  /** @throws overloaded; the signal's reason; what evaluating throws */
  return (items: readonly Item[], requester: Requester): Promise<Result[]> =>
    batcher.run(items, (item) => item, requester)
}
