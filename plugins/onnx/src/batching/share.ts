import type { Items } from './items.js'

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
  private readonly source: Iterator<Item | undefined>
  private readonly length: number
  private readonly results: Result[] = []
  private made = 0
  private missing: number
  private over = false
  private resolve: (results: Result[]) => void = () => undefined
  private reject: (reason: unknown) => void = () => undefined

  constructor(
    items: Items<Item>,
    readonly tenant: string,
    private readonly sizeOf: (item: Item) => number,
  ) {
    this.length = items.length
    this.missing = items.length
    this.source = items[Symbol.iterator]()
    this.finished = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }

  /** Items without a result. */
  get unfinished(): number {
    return this.over ? 0 : this.missing
  }

  /** Tokens at least that wait: an item that is not made yet counts as one. */
  get tokens(): number {
    if (this.over) return 0
    return this.ready.reduce((sum, { size }) => sum + size, this.length - this.made)
  }

  /** Whether all of it is ready, in so many tokens, and nothing of it has been taken. */
  isWithin(tokens: number): boolean {
    return this.ready.length === this.length && this.tokens <= tokens
  }

  /** Whether it has all results, has failed, or was given up. */
  get ended(): boolean {
    return this.over
  }

  /** Makes one more item, or a step of a long one. @returns whether there was one */
  makeNext(): boolean {
    if (this.over) return false
    try {
      const next = this.source.next()
      if (next.done) return false
      const item = next.value
      if (item !== undefined) this.insert({ item, size: this.sizeOf(item), index: this.made++, share: this })
      return true
    } catch (error) {
      this.fail(error)
      return false
    }
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

  private insert(entry: Entry<Item, Result>): void {
    this.ready.splice(this.firstAbove(entry.size), 0, entry)
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
