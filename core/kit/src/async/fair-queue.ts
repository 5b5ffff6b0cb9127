/**
 * Items that wait: first in, first out within a tenant, and tenants take turns, each as often as its weight says. No item
 * is in it twice.
 */
export class FairQueue<Item> implements Iterable<Item> {
  /** A line for each tenant; among equal turns, the first comes first. No line is empty. */
  private readonly lines = new Map<string, Set<Item>>()
  /** The virtual time at which each line has its turn, as in weighted fair queueing. */
  private readonly turns = new Map<string, number>()
  /** The latest turn that was taken. */
  private virtualTime = 0
  private count = 0

  /** @param weightOf how many turns a tenant has where one of weight 1 has one; above 0 */
  constructor(private readonly weightOf: (tenant: string) => number = () => 1) {}

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
    else this.open(tenant, new Set([item]))
  }

  /** Puts the item before the tenant's other items; the turn of the tenant stays as it is. */
  putBack(tenant: string, item: Item): void {
    this.count += 1
    const line = this.lines.get(tenant)
    if (line) this.lines.set(tenant, new Set([item, ...line]))
    else this.open(tenant, new Set([item]))
  }

  /** @returns whether the item was in the queue */
  remove(tenant: string, item: Item): boolean {
    const line = this.lines.get(tenant)
    if (!line?.delete(item)) return false
    this.count -= 1
    if (line.size === 0) this.close(tenant)
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
    this.virtualTime = Math.max(this.virtualTime, this.turnOf(tenant))
    this.remove(tenant, item)
    this.putLast(tenant)
    return item
  }

  /** Counts a turn: the tenant's next one comes after those of all others of its weight. */
  putLast(tenant: string): void {
    const line = this.lines.get(tenant)
    if (line && this.lines.delete(tenant)) this.open(tenant, line)
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

  private open(tenant: string, line: Set<Item>): void {
    this.lines.set(tenant, line)
    this.turns.set(tenant, this.virtualTime + 1 / this.weightOf(tenant))
  }

  private close(tenant: string): void {
    this.lines.delete(tenant)
    this.turns.delete(tenant)
  }

  private turnOf(tenant: string): number {
    return this.turns.get(tenant) ?? Infinity
  }

  private next(loadOf: (tenant: string) => number): string | undefined {
    let [next, lowest, earliest]: [string | undefined, number, number] = [undefined, Infinity, Infinity]
    for (const tenant of this.lines.keys()) {
      const load = loadOf(tenant)
      const turn = this.turnOf(tenant)
      if (load < lowest || (load === lowest && load < Infinity && turn < earliest))
        [next, lowest, earliest] = [tenant, load, turn]
    }
    return next
  }
}
