import type { Steps } from '@sallyport/kit/async'

/** What a call brings: as many items as `length` says, made when they are asked for. */
export interface Items<Item> extends Iterable<Item | undefined> {
  readonly length: number
}

/** Items that are made one by one, as the batcher comes to them. */
export const lazily = <Source, Item>(sources: readonly Source[], make: (source: Source) => Item): Items<Item> => ({
  length: sources.length,
  *[Symbol.iterator]() {
    for (const source of sources) yield make(source)
  },
})

/** As {@link lazily}; undefined stands for a step that did not finish an item. */
export const inSteps = <Source, Item>(
  sources: readonly Source[],
  make: (source: Source) => Steps<Item>,
): Items<Item> => ({
  length: sources.length,
  *[Symbol.iterator]() {
    for (const source of sources) yield yield* make(source)
  },
})
