/** First in, first out. Taking from a long array moves all that is left of it. */
export class Queue<Item> {
  private items: (Item | undefined)[] = []
  private taken = 0

  get length(): number {
    return this.items.length - this.taken
  }

  /** The next one that is taken. */
  get first(): Item | undefined {
    return this.items[this.taken]
  }

  push(item: Item): void {
    this.items.push(item)
  }

  take(): Item | undefined {
    if (this.length === 0) return undefined
    const item = this.items[this.taken]
    this.items[this.taken] = undefined
    this.taken += 1
    if (this.taken * 2 > this.items.length) this.dropTaken()
    return item
  }

  /** Moves fewer items than have been taken. */
  private dropTaken(): void {
    this.items = this.items.slice(this.taken)
    this.taken = 0
  }
}
