/** An item that waits to be evaluated. */
export interface PendingItem<Item, Result> {
  readonly item: Item
  /** In tokens. */
  readonly size: number
  /** The position of the item in its call. */
  readonly index: number
  readonly call: PendingCall<Item, Result>
}

/** A call whose items wait for their results. */
export class PendingCall<Item, Result> {
  /** Rejects with what {@link fail} was called with. */
  readonly finished: Promise<Result[]>
  /** Items that wait for a batch, smallest first. */
  private ready: PendingItem<Item, Result>[] = []
  private readonly results: Result[] = []
  private remaining: number
  /** Whether it has all results, has failed, or was cancelled. */
  hasEnded = false
  private resolve: (results: Result[]) => void = () => undefined
  private reject: (reason: unknown) => void = () => undefined

  /** @param length how many items will be added */
  constructor(
    private readonly length: number,
    readonly tenant: string,
    private readonly sizeOf: (item: Item) => number,
  ) {
    this.remaining = length
    this.finished = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }

  /** Items without a result. */
  get unfinishedCount(): number {
    return this.hasEnded ? 0 : this.remaining
  }

  /** Items that are ready. */
  get readyCount(): number {
    return this.ready.length
  }

  /** Tokens of the items that are ready. */
  get readyTokens(): number {
    return this.ready.reduce((sum, { size }) => sum + size, 0)
  }

  /** Whether all its items are ready, none has been taken, and together they have at most `tokens` tokens. */
  fitsWhole(tokens: number): boolean {
    return this.ready.length === this.length && this.readyTokens <= tokens
  }

  /** Adds an item that is ready. @param index its position in the call */
  add(index: number, item: Item): void {
    if (this.hasEnded) return
    const size = this.sizeOf(item)
    this.ready.splice(this.firstAbove(size), 0, { item, size, index, call: this })
  }

  /** The largest item that is ready. */
  get largest(): PendingItem<Item, Result> | undefined {
    return this.ready.at(-1)
  }

  /** The items that are ready, those nearest in size first. */
  *nearestTo(size: number): Generator<PendingItem<Item, Result>, void> {
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

  /** Removes the items of the batch that is about to be evaluated. */
  take(batch: ReadonlySet<PendingItem<Item, Result>>): void {
    this.ready = this.ready.filter((item) => !batch.has(item))
  }

  setResult(index: number, result: Result): void {
    if (this.hasEnded) return
    this.results[index] = result
    this.remaining -= 1
    if (this.remaining > 0) return
    this.hasEnded = true
    this.resolve(this.results)
  }

  /** Drops the items that wait; results of those that are being evaluated are ignored. */
  fail(reason: unknown): void {
    if (this.hasEnded) return
    this.hasEnded = true
    this.ready = []
    this.reject(reason)
  }

  /** The position of the first item that is larger. */
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
