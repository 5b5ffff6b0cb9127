/** Items that wait: first in, first out within a tenant, and tenants take turns. No item is in it twice. */
export class FairQueue<Item> implements Iterable<Item> {
  /** A line for each tenant, in the order of turns: a tenant that had its turn goes to the end. No line is empty. */
  private readonly lines = new Map<string, Set<Item>>()
  private count = 0

  get length(): number {
    return this.count
  }

  /** How many items of one tenant wait. */
  lengthOf(tenant: string): number {
    return this.lines.get(tenant)?.size ?? 0
  }

  /** The tenants that have items, in the order of their turns. */
  get tenants(): Iterable<string> {
    return this.lines.keys()
  }

  push(tenant: string, item: Item): void {
    this.count += 1
    const line = this.lines.get(tenant)
    if (line) line.add(item)
    else this.lines.set(tenant, new Set([item]))
  }

  /** Puts the item before the tenant's other items; the turn of the tenant stays as it is. */
  putBack(tenant: string, item: Item): void {
    this.count += 1
    this.lines.set(tenant, new Set([item, ...(this.lines.get(tenant) ?? [])]))
  }

  /** @returns whether the item was in the queue */
  remove(tenant: string, item: Item): boolean {
    const line = this.lines.get(tenant)
    if (!line?.delete(item)) return false
    this.count -= 1
    if (line.size === 0) this.lines.delete(tenant)
    return true
  }

  /**
   * Takes the first item of the tenant with the least load; among equals, of the one whose turn comes first.
   * @param loadOf what a tenant uses already; one at Infinity gets nothing
   */
  take(loadOf: (tenant: string) => number = () => 0): Item | undefined {
    const tenant = this.next(loadOf)
    const line = tenant === undefined ? undefined : this.lines.get(tenant)
    if (tenant === undefined || !line) return undefined
    const [item] = line as Set<Item> & [Item]
    this.remove(tenant, item)
    this.putLast(tenant)
    return item
  }

  /** Moves the tenant's turn after those of all others. */
  putLast(tenant: string): void {
    const line = this.lines.get(tenant)
    if (line && this.lines.delete(tenant)) this.lines.set(tenant, line)
  }

  /**
   * The item that gives way where there is no room for one more of this tenant: the last one of the longest line, if
   * that is longer than the tenant's own would be. So a tenant with little work is not turned away for one with much.
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

  private next(loadOf: (tenant: string) => number): string | undefined {
    let [next, lowest]: [string | undefined, number] = [undefined, Infinity]
    for (const tenant of this.lines.keys()) {
      const load = loadOf(tenant)
      if (load < lowest) [next, lowest] = [tenant, load]
    }
    return next
  }
}
