/** An item that waits to be evaluated. */
export interface Entry<Item, Result> {
  readonly item: Item
  /** Tokens. */
  readonly size: number
  /** Position in its call. */
  readonly index: number
  readonly share: Share<Item, Result>
}

/** The items of one call, on their way to results. */
export class Share<Item, Result> {
  /** Rejects with what {@link fail} was called with. */
  readonly finished: Promise<Result[]>
  /** Made, and not yet taken; smallest first. */
  private ready: Entry<Item, Result>[] = []
  private readonly results: Result[] = []
  private missing: number
  private over = false
  private resolve: (results: Result[]) => void = () => undefined
  private reject: (reason: unknown) => void = () => undefined

  /** @param length how many items will be added */
  constructor(
    private readonly length: number,
    readonly tenant: string,
    private readonly sizeOf: (item: Item) => number,
  ) {
    this.missing = length
    this.finished = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }

  /** Items without a result. */
  get unfinished(): number {
    return this.over ? 0 : this.missing
  }

  /** Items that are ready. */
  get waiting(): number {
    return this.ready.length
  }

  /** Tokens of the items that are ready. */
  get tokens(): number {
    return this.ready.reduce((sum, { size }) => sum + size, 0)
  }

  /** Whether all of it is ready, in so many tokens, and nothing of it has been taken. */
  isWithin(tokens: number): boolean {
    return this.ready.length === this.length && this.tokens <= tokens
  }

  /** Whether it has all results, has failed, or was given up. */
  get ended(): boolean {
    return this.over
  }

  /** An item has been made. @param index its position in the call */
  add(index: number, item: Item): void {
    if (this.over) return
    const size = this.sizeOf(item)
    this.ready.splice(this.firstAbove(size), 0, { item, size, index, share: this })
  }

  /** The largest item that is ready. */
  get largest(): Entry<Item, Result> | undefined {
    return this.ready.at(-1)
  }

  /** What is ready, in the order in which its size is like this one. */
  *near(size: number): Generator<Entry<Item, Result>, void> {
    let above = this.firstAbove(size)
    let below = above - 1
    for (;;) {
      const [lower, upper] = [this.ready[below], this.ready[above]]
      if (lower && (!upper || size - lower.size <= upper.size - size)) {
        yield lower
        below -= 1
      } else if (upper) {
        yield upper
        above += 1
      } else return
    }
  }

  /** These are being evaluated. */
  take(entries: ReadonlySet<Entry<Item, Result>>): void {
    this.ready = this.ready.filter((entry) => !entries.has(entry))
  }

  settle(index: number, result: Result): void {
    if (this.over) return
    this.results[index] = result
    this.missing -= 1
    if (this.missing > 0) return
    this.over = true
    this.resolve(this.results)
  }

  /** No more of its items are evaluated; what is being evaluated is thrown away. */
  fail(reason: unknown): void {
    if (this.over) return
    this.over = true
    this.ready = []
    this.reject(reason)
  }

  /** Position of the first item that is larger. */
  private firstAbove(size: number): number {
    let [low, high] = [0, this.ready.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.ready[middle]?.size ?? 0) > size) high = middle
      else low = middle + 1
    }
    return low
  }
}
