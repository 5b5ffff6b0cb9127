/** Who may run now, who waits, and who is turned away. */

import { failure } from '@sallyport/core'
import { Slots } from '@sallyport/kit/async'
import type { Limits } from '../options.js'

/** A bounded number of requests runs, a bounded number waits, in turns of their tenants, for a bounded time. */
export class Admission {
  private readonly slots: Slots
  private readonly serviceTime = new ServiceTime()

  /** @param limits without `perKey`, a tenant may take every place */
  constructor(private readonly limits: Limits) {
    const { concurrency, queue, perKey = 0 } = limits
    const refusal = (tenant: string) => this.refusal(tenant)
    this.slots = new Slots(concurrency, queue, { perTenant: perKey || Infinity, refusal })
  }

  /** Requests that run or wait. */
  get load(): { readonly running: number; readonly waiting: number } {
    return this.slots.load
  }

  /** Turns a request away before any work where it could only be turned away later. @throws overloaded, rate_limited */
  refuseIfFull(tenant: string): void {
    if (!this.slots.hasRoom(tenant)) throw this.refusal(tenant)
  }

  /** Runs the work when its turn has come. @throws overloaded, rate_limited, the signal's reason */
  async run<Result>(tenant: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted()
    const patience = this.slots.isFree(tenant) ? undefined : this.patience(tenant, signal)
    try {
      return await this.slots.run({ tenant, signal: patience?.signal ?? signal }, () => {
        patience?.end()
        return this.timed(work)
      })
    } finally {
      patience?.end()
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

  /** A signal for the time of waiting, until it is ended. */
  private patience(tenant: string, client: AbortSignal) {
    const waiting = new AbortController()
    const cancel = () => waiting.abort(client.reason)
    const timer = setTimeout(() => waiting.abort(this.refusal(tenant)), this.limits.wait * 1000)
    client.addEventListener('abort', cancel, { once: true })
    const end = () => {
      clearTimeout(timer)
      client.removeEventListener('abort', cancel)
    }
    return { signal: waiting.signal, end }
  }

  /** Why a tenant is turned away: its own requests stand in its way, or everybody's. */
  private refusal(tenant: string): Error {
    const { concurrency, perKey = 0 } = this.limits
    const { running, waiting } = this.slots.loadOf(tenant)
    if (!perKey || running < perKey) return failure('overloaded', {}, this.retryAfter(this.load.waiting, concurrency))
    const problem = `this key runs ${perKey} ${perKey === 1 ? 'request' : 'requests'}, its share: wait for one to end`
    return failure('rate_limited', { problem }, this.retryAfter(waiting, perKey))
  }

  private retryAfter(waiting: number, places: number): { retryAfter: number } {
    return { retryAfter: Math.ceil((((waiting + 1) / places) * this.serviceTime.milliseconds) / 1000) }
  }
}

/** Weight of the newest request in the average. */
const newest = 0.1

/** Average time that requests take, for telling others when to try again. */
class ServiceTime {
  private average: number | undefined

  add(milliseconds: number): void {
    this.average = this.average === undefined ? milliseconds : this.average + newest * (milliseconds - this.average)
  }

  get milliseconds(): number {
    return this.average ?? 1000
  }
}

/** What one key may take of what all keys share: an eighth, where there are eight, is kept for the others. */
export const shareOf = (whole: number): number => whole - Math.floor(whole / 8)
