/** Who may run now, who waits, and who is turned away. */

import { failure } from '@sallyport/core'
import type { Limits } from '../options.js'
import { ServiceTime } from './service-time.js'

interface Waiter {
  readonly tenant: string
  readonly admit: () => void
  readonly refuse: (error: Error) => void
}

/**
 * A bounded number of requests runs, a bounded number waits. Tenants take turns, and where the queue is full the tenant
 * with the longest line loses its last request: a tenant that asks for little is never turned away by one that asks
 * for much.
 */
export class Admission {
  private running = 0
  private waiting = 0
  private readonly runningBy = new Map<string, number>()
  /** In the order of their turns; a tenant whose turn it was goes to the end. */
  private readonly lines = new Map<string, Waiter[]>()
  private readonly serviceTime = new ServiceTime()

  /** @param limits without `perKey`, a tenant may take every place */
  constructor(private readonly limits: Limits) {}

  /** Requests that run or wait. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.running, waiting: this.waiting }
  }

  /** Turns a request away before any work where it could only be turned away later. @throws overloaded, rate_limited */
  refuseIfFull(tenant: string): void {
    if (!this.mayRun(tenant) && this.waiting >= this.limits.queue && !this.longestLine(tenant))
      throw this.refusal(tenant)
  }

  /** Runs the work when its turn has come. @throws overloaded, rate_limited, the signal's reason */
  async run<Result>(tenant: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted()
    // Whoever waits may not run now: the last release would have let it in.
    if (this.mayRun(tenant)) this.occupy(tenant)
    else await this.wait(tenant, signal)
    const started = performance.now()
    try {
      return await work()
    } finally {
      this.serviceTime.add(performance.now() - started)
      this.release(tenant)
    }
  }

  private mayRun(tenant: string): boolean {
    return this.running < this.limits.concurrency && !this.hasItsShare(tenant)
  }

  private hasItsShare(tenant: string): boolean {
    const { perKey = 0 } = this.limits
    return perKey > 0 && (this.runningBy.get(tenant) ?? 0) >= perKey
  }

  private occupy(tenant: string): void {
    this.running += 1
    this.runningBy.set(tenant, (this.runningBy.get(tenant) ?? 0) + 1)
  }

  private release(tenant: string): void {
    this.running -= 1
    const left = (this.runningBy.get(tenant) ?? 1) - 1
    if (left) this.runningBy.set(tenant, left)
    else this.runningBy.delete(tenant)
    this.admitNext()
  }

  private wait(tenant: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.remove(waiter)
        clearTimeout(timer)
        signal.removeEventListener('abort', cancelled)
      }
      const waiter: Waiter = {
        tenant,
        admit: () => {
          leave()
          this.occupy(tenant)
          resolve()
        },
        refuse: (error) => {
          leave()
          reject(error)
        },
      }
      const cancelled = () => waiter.refuse(signal.reason as Error)
      const timer = setTimeout(() => waiter.refuse(this.refusal(tenant)), this.limits.wait * 1000)
      signal.addEventListener('abort', cancelled, { once: true })
      this.enqueue(waiter)
    })
  }

  private enqueue(waiter: Waiter): void {
    if (this.waiting >= this.limits.queue) {
      const last = this.longestLine(waiter.tenant)?.at(-1)
      if (!last) {
        waiter.refuse(this.refusal(waiter.tenant))
        return
      }
      last.refuse(this.refusal(last.tenant))
    }
    this.waiting += 1
    const line = this.lines.get(waiter.tenant)
    if (line) line.push(waiter)
    else this.lines.set(waiter.tenant, [waiter])
  }

  private remove(waiter: Waiter): void {
    const line = this.lines.get(waiter.tenant)
    const at = line?.indexOf(waiter) ?? -1
    if (!line || at < 0) return
    line.splice(at, 1)
    this.waiting -= 1
    if (!line.length) this.lines.delete(waiter.tenant)
  }

  private admitNext(): void {
    for (const [tenant, [first]] of this.lines) {
      if (!first || !this.mayRun(tenant)) continue
      first.admit()
      const rest = this.lines.get(tenant)
      if (rest) {
        this.lines.delete(tenant)
        this.lines.set(tenant, rest)
      }
      return
    }
  }

  /** The longest line, where it is longer than this tenant's would become. */
  private longestLine(tenant: string): readonly Waiter[] | undefined {
    let longest: readonly Waiter[] | undefined
    for (const line of this.lines.values()) if (line.length > (longest?.length ?? 0)) longest = line
    return longest && longest.length > (this.lines.get(tenant)?.length ?? 0) + 1 ? longest : undefined
  }

  /** Why a tenant is turned away: its own requests stand in its way, or everybody's. */
  private refusal(tenant: string): Error {
    const { concurrency, perKey = 0 } = this.limits
    if (!this.hasItsShare(tenant)) return failure('overloaded', {}, this.retryAfter(this.waiting, concurrency))
    const problem = `this key runs ${perKey} ${perKey === 1 ? 'request' : 'requests'}, its share: wait for one to end`
    return failure('rate_limited', { problem }, this.retryAfter(this.lines.get(tenant)?.length ?? 0, perKey))
  }

  private retryAfter(waiting: number, places: number): { retryAfter: number } {
    return { retryAfter: Math.ceil((((waiting + 1) / places) * this.serviceTime.milliseconds) / 1000) }
  }
}
