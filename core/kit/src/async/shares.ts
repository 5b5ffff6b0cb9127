import { minOf } from '../lists/extremes.js'

/** The time of evaluations that tenants have used: the one that has used least is next. */
export class Shares {
  /** Milliseconds. */
  private readonly used = new Map<string, number>()
  private working: ReadonlySet<string> = new Set()
  /**
   * The time that the tenant with the least had used when there was work last. Newcomers are placed by it: time that
   * was used when nobody else wanted it is no debt.
   */
  private level = 0

  /**
   * @param mostSaved milliseconds that a tenant may save up while it has no work: later, so much of its work goes before
   * that of others
   */
  constructor(private readonly mostSaved = 500) {}

  /** Says which tenants have work now. */
  setWorking(tenants: ReadonlySet<string>): void {
    if (this.working.size > 0) this.level = Math.max(this.level, this.leastOf(this.working))
    const newcomers = [...tenants].filter((tenant) => !this.working.has(tenant))
    this.working = tenants
    if (newcomers.length === 0) return
    const floor = this.level - this.mostSaved
    for (const tenant of newcomers) this.used.set(tenant, Math.max(this.used.get(tenant) ?? floor, floor))
    // who has saved up as much as may be need not be remembered
    for (const [tenant, used] of this.used) if (used <= floor && !tenants.has(tenant)) this.used.delete(tenant)
  }

  add(tenant: string, milliseconds: number): void {
    this.used.set(tenant, (this.used.get(tenant) ?? 0) + milliseconds)
  }

  /** Milliseconds, to be compared with those of others that have work. */
  usedBy(tenant: string): number {
    return this.used.get(tenant) ?? 0
  }

  /** Milliseconds by which the tenant has used more than the one that has used least of those who have work. */
  ahead(tenant: string): number {
    return this.usedBy(tenant) - this.leastOf(this.working)
  }

  private leastOf(tenants: Iterable<string>): number {
    return minOf(Array.from(tenants, (tenant) => this.usedBy(tenant)))
  }
}
