/** Items that wait: first in, first out within a tenant, and tenants take turns. No item is in it twice. */
export class FairQueue<Item> implements Iterable<Item> {
  /** In the order of their turns: whoever had one goes behind the others. No line is empty. */
  private readonly lines = new Map<string, Set<Item>>()
  private count = 0

  get length(): number {
    return this.count
  }

  /** Items of one tenant. */
  lengthOf(tenant: string): number {
    return this.lines.get(tenant)?.size ?? 0
  }

  /** Those that have items, in the order of their turns. */
  get tenants(): Iterable<string> {
    return this.lines.keys()
  }

  push(tenant: string, item: Item): void {
    this.count += 1
    const line = this.lines.get(tenant)
    if (line) line.add(item)
    else this.lines.set(tenant, new Set([item]))
  }

  /** Before the tenant's other items; its turn comes when it would come. */
  putBack(tenant: string, item: Item): void {
    this.count += 1
    this.lines.set(tenant, new Set([item, ...(this.lines.get(tenant) ?? [])]))
  }

  /** @returns whether it was there */
  remove(tenant: string, item: Item): boolean {
    const line = this.lines.get(tenant)
    if (!line?.delete(item)) return false
    this.count -= 1
    if (line.size === 0) this.lines.delete(tenant)
    return true
  }

  /**
   * The first item of the tenant that holds least; of equals, of the one whose turn it is.
   * @param held what a tenant has already; one that has Infinity gets nothing
   */
  take(held: (tenant: string) => number = () => 0): Item | undefined {
    const tenant = this.next(held)
    const line = tenant === undefined ? undefined : this.lines.get(tenant)
    if (tenant === undefined || !line) return undefined
    const [item] = line as Set<Item> & [Item]
    this.remove(tenant, item)
    this.putLast(tenant)
    return item
  }

  /** The tenant's turn comes after those of all others. */
  putLast(tenant: string): void {
    const line = this.lines.get(tenant)
    if (line && this.lines.delete(tenant)) this.lines.set(tenant, line)
  }

  /**
   * Who gives way where there is no room for one more item of this tenant: the last item of the longest line, if that is
   * longer than the tenant's own would be. So those who ask for little are not turned away for those who ask for much.
   */
  lastOfLongest(tenant: string): Item | undefined {
    const longest = [...this.lines.values()].reduce(
      (one, other) => (other.size > one.size ? other : one),
      new Set<Item>(),
    )
    return longest.size > this.lengthOf(tenant) + 1 ? [...longest].at(-1) : undefined
  }

  *[Symbol.iterator](): Iterator<Item> {
    for (const line of this.lines.values()) yield* line
  }

  private next(held: (tenant: string) => number): string | undefined {
    let [next, least]: [string | undefined, number] = [undefined, Infinity]
    for (const tenant of this.lines.keys()) {
      const amount = held(tenant)
      if (amount < least) [next, least] = [tenant, amount]
    }
    return next
  }
}
