/** Admission control: which requests run now, which wait, and which are refused. */

import { failure } from '@sallyport/core'
import { Slots, TimeLimit } from '@sallyport/kit/async'
import type { Limits } from '../options.js'
import { observeTurn } from '../telemetry.js'
import type { ObservedRequest } from '../telemetry.js'

/** Bounds how many requests run, how many wait, and for how long. Waiting tenants take turns. */
export class Admission {
  private readonly slots: Slots
  private readonly serviceTime = new ServiceTime()

  /**
   * @param limits Without `perKey`, one tenant may take all slots.
   * @param weightOf how many turns a tenant has where one of weight 1 has one
   */
  constructor(
    private readonly limits: Limits,
    weightOf: (tenant: string) => number = () => 1,
  ) {
    const { concurrency, queue, perKey = 0 } = limits
    const refusal = (tenant: string) => this.refusal(tenant)
    this.slots = new Slots(concurrency, queue, { perTenant: perKey || Infinity, refusal, weightOf })
  }

  /** Requests that run or wait. */
  get load(): { readonly running: number; readonly waiting: number } {
    return this.slots.load
  }

  /** Refuses a request before any work where it would be refused later anyway. @throws overloaded, rate_limited */
  refuseIfFull(tenant: string): void {
    if (!this.slots.hasRoom(tenant)) throw this.refusal(tenant)
  }

  /** Runs the work when its turn has come. @throws overloaded, rate_limited, the signal's reason */
  async run<Result>(
    tenant: string,
    signal: AbortSignal,
    work: () => Promise<Result>,
    observed?: ObservedRequest,
  ): Promise<Result> {
    const isFree = this.slots.isFree(tenant)
    const total = isFree ? undefined : this.limits.wait * 1000
    const wait = new TimeLimit(signal, { total, reason: () => this.refusal(tenant) })
    const endWait = observed?.wait(!isFree)
    try {
      return await this.slots.run({ tenant, signal: wait.signal }, () => {
        wait.end()
        endWait?.()
        return this.timed(() => observeTurn(work))
      })
    } finally {
      wait.end()
      endWait?.()
    }
  }

  private async timed<Result>(work: () => Promise<Result>): Promise<Result> {
    const started = performance.now()
    try {
      return await work()
    } finally {
      this.serviceTime.add(performance.now() - started)
    }
  }

  /** The error says whether the tenant's own requests take the slots, or everybody's. */
  private refusal(tenant: string): Error {
    const { concurrency, perKey = 0 } = this.limits
    const { running, waiting } = this.slots.loadOf(tenant)
    if (!perKey || running < perKey) return failure('overloaded', {}, this.retryAfter(this.load.waiting, concurrency))
    const problem = `this key runs ${perKey} ${perKey === 1 ? 'request' : 'requests'}, its share: wait for one to end`
    return failure('rate_limited', { problem }, this.retryAfter(waiting, perKey))
  }

  private retryAfter(waiting: number, slots: number): { retryAfter: number } {
    return { retryAfter: Math.ceil((((waiting + 1) / slots) * this.serviceTime.milliseconds) / 1000) }
  }
}

/** Weight of the newest request in the average. */
const newestWeight = 0.1

/** The average duration of requests, from which `Retry-After` is estimated. */
class ServiceTime {
  private average: number | undefined

  add(milliseconds: number): void {
    this.average =
      this.average === undefined ? milliseconds : this.average + newestWeight * (milliseconds - this.average)
  }

  get milliseconds(): number {
    return this.average ?? 1000
  }
}

/** How much of a resource one key may take. An eighth is reserved for the others, if there are at least eight units. */
export const maxPerKey = (total: number): number => total - Math.floor(total / 8)
