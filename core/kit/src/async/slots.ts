import type { Call } from '@sallyport/core'
import { failure } from '@sallyport/core/errors'
import { FairQueue } from './fair-queue.js'
import { onAbort } from './on-abort.js'

interface Waiter {
  readonly tenant: string
  readonly begin: () => void
  readonly refuse: (error: Error) => void
}

/** The tenant for whom work is done, and the signal that aborts it. */
export type Requester = Pick<Call, 'signal' | 'tenant'>

export interface SlotsOptions {
  /** Further slots for tenants that run nothing, so that they need not wait for others' long work. Default: 0. */
  readonly reserve?: number
  /** How many slots one tenant may have. Default: all. */
  readonly perTenant?: number
  /** How many slots a tenant has, and turns, where one of weight 1 has one; above 0. Default: 1 for all. */
  readonly weightOf?: (tenant: string) => number
  /** Makes the error for a tenant whose work is refused because too much waits. Default: overloaded. */
  readonly refusal?: (tenant: string) => Error
}

/**
 * A limit of concurrency with a bounded queue. A free slot goes to the tenant that runs least for its weight, in turns,
 * and within a tenant in the order of arrival. So no tenant takes the last slot while one of its weight without any waits.
 * Where the queue is full, the tenant with the longest line loses its last request.
 */
export class Slots {
  private readonly waiting: FairQueue<Waiter>
  private readonly runningBy = new Map<string, number>()
  private running = 0
  private closed = false

  /**
   * @param count how much work may run at the same time
   * @param maxWaiting how much may wait
   */
  constructor(
    private readonly count: number,
    private readonly maxWaiting: number,
    private readonly options: SlotsOptions = {},
  ) {
    this.waiting = new FairQueue(options.weightOf)
  }

  /** How much work runs and waits. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.running, waiting: this.waiting.length }
  }

  /** How much of one tenant's work runs and waits. */
  loadOf(tenant: string): { readonly running: number; readonly waiting: number } {
    return { running: this.runningBy.get(tenant) ?? 0, waiting: this.waiting.lengthOf(tenant) }
  }

  /** Whether work of the tenant would begin at once. */
  isFree(tenant: string): boolean {
    const { reserve = 0, perTenant = Infinity } = this.options
    const { running } = this.loadOf(tenant)
    return running < perTenant && this.running < this.count + (running === 0 ? reserve : 0)
  }

  /** Whether work of the tenant would begin at once or wait, rather than be refused. */
  hasRoom(tenant: string): boolean {
    return (
      this.isFree(tenant) || this.waiting.length < this.maxWaiting || this.waiting.lastOfLongest(tenant) !== undefined
    )
  }

  /**
   * Runs the work when its turn has come. The signal ends only the wait: work that has begun keeps its slot until it
   * ends.
   * @throws overloaded, or the refusal of the options, where too many wait; not_ready once closed; the signal's reason;
   * what the work throws
   */
  async run<Value>(requester: Requester, work: () => Promise<Value>): Promise<Value> {
    const { signal, tenant } = requester
    signal.throwIfAborted()
    if (this.closed) throw drainingError()
    // No waiting work could run instead: it would have got the slot when the last work ended.
    const beginsAtOnce = this.isFree(tenant)
    if (beginsAtOnce) this.occupy(tenant)
    else await this.wait(requester)
    try {
      return await work()
    } finally {
      // What waited had its turn when it was taken.
      if (beginsAtOnce) this.waiting.putLast(tenant)
      this.release(tenant)
    }
  }

  /** Refuses all waiting and all later work; work that runs goes on. */
  close(): void {
    this.closed = true
    for (const { refuse } of [...this.waiting]) refuse(drainingError())
  }

  private occupy(tenant: string): void {
    this.running += 1
    this.runningBy.set(tenant, (this.runningBy.get(tenant) ?? 0) + 1)
  }

  private wait({ signal, tenant }: Requester): Promise<void> {
    if (this.waiting.length >= this.maxWaiting) this.makeRoom(tenant)
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting.remove(tenant, waiter)
        stop()
      }
      const waiter: Waiter = {
        tenant,
        begin: () => {
          leave()
          this.occupy(tenant)
          resolve()
        },
        refuse: (error) => {
          leave()
          reject(error)
        },
      }
      const stop = onAbort(signal, () => waiter.refuse(signal.reason as Error))
      this.waiting.push(tenant, waiter)
    })
  }

  private makeRoom(tenant: string): void {
    const last = this.waiting.lastOfLongest(tenant)
    if (!last) throw this.refusal(tenant)
    last.refuse(this.refusal(last.tenant))
  }

  private refusal(tenant: string): Error {
    return this.options.refusal?.(tenant) ?? failure('overloaded', {}, { retryAfter: 1 })
  }

  private release(tenant: string): void {
    this.running -= 1
    const left = (this.runningBy.get(tenant) ?? 1) - 1
    if (left) this.runningBy.set(tenant, left)
    else this.runningBy.delete(tenant)
    this.waiting.take((next) => (this.isFree(next) ? this.sharesOf(next) : Infinity))?.begin()
  }

  /** How many whole shares the tenant runs: up to its weight, turns alone decide. */
  private sharesOf(tenant: string): number {
    const { weightOf = () => 1 } = this.options
    return Math.floor(this.loadOf(tenant).running / weightOf(tenant))
  }
}

const drainingError = () => failure('not_ready', { state: 'draining' })
