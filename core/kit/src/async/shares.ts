import { minOf } from '../lists/extremes.js'

/** How much computing time each tenant has used: the one with the least comes next. */
export class Shares {
  /** Milliseconds, by tenant. */
  private readonly used = new Map<string, number>()
  private active: ReadonlySet<string> = new Set()
  /**
   * The least time that any tenant had used when there was work last. Newcomers start from it: time that was used when
   * nobody else wanted it does not count against a tenant.
   */
  private level = 0

  /**
   * @param maxCredit milliseconds that a tenant may save up while it has no work: later, its work goes before that of
   * others for this time
   */
  constructor(private readonly maxCredit = 500) {}

  /** Sets which tenants have work now. */
  setActive(tenants: ReadonlySet<string>): void {
    if (this.active.size > 0) this.level = Math.max(this.level, this.minUsed(this.active))
    const newcomers = [...tenants].filter((tenant) => !this.active.has(tenant))
    this.active = tenants
    if (newcomers.length === 0) return
    const floor = this.level - this.maxCredit
    for (const tenant of newcomers) this.used.set(tenant, Math.max(this.used.get(tenant) ?? floor, floor))
    // A tenant with the full credit need not be remembered.
    for (const [tenant, used] of this.used) if (used <= floor && !tenants.has(tenant)) this.used.delete(tenant)
  }

  add(tenant: string, milliseconds: number): void {
    this.used.set(tenant, (this.used.get(tenant) ?? 0) + milliseconds)
  }

  /** Milliseconds, which only compare with those of other tenants that have work. */
  usedBy(tenant: string): number {
    return this.used.get(tenant) ?? 0
  }

  /** Milliseconds that the tenant has used more than the active tenant with the least. */
  aheadBy(tenant: string): number {
    return this.usedBy(tenant) - this.minUsed(this.active)
  }

  private minUsed(tenants: Iterable<string>): number {
    return minOf(Array.from(tenants, (tenant) => this.usedBy(tenant)))
  }
}
