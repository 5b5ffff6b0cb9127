/** What a call brings: as many items as `length` says, made when they are asked for. */
export interface Items<Item> extends Iterable<Item | undefined> {
  readonly length: number
}

/** How an item is made in steps of some milliseconds: yields between two of them. */
export type Steps<Item> = Generator<undefined, Item>

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

/** The item, made at once. */
export const madeOf = <Item>(steps: Steps<Item>): Item => {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
