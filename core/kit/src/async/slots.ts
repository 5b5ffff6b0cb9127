import type { Call } from '@sallyport/core'
import { failure } from '@sallyport/core/errors'
import { FairQueue } from './fair-queue.js'

interface Waiter {
  readonly tenant: string
  readonly begin: () => void
  readonly refuse: (error: Error) => void
}

/** Who asks for the work, and until when it is wanted. */
export type Requester = Pick<Call, 'signal' | 'tenant'>

export interface SlotsOptions {
  /** Further slots, for tenants that run nothing: they do not wait for the end of others' long work. Default: 0. */
  readonly reserve?: number
  /** Most slots of one tenant. Default: all. */
  readonly perTenant?: number
  /** What a tenant is told where too many wait. Default: overloaded. */
  readonly refusal?: (tenant: string) => Error
}

/**
 * So many pieces of work at the same time; so many others wait. A slot goes to whoever runs least, in turns, and within
 * a tenant in the order of arrival. So no tenant takes the last slot while one without any waits. Where too many wait,
 * the tenant with the longest line loses its last.
 */
export class Slots {
  private readonly waiting = new FairQueue<Waiter>()
  private readonly runningBy = new Map<string, number>()
  private taken = 0
  private closed = false

  /**
   * @param count pieces of work at the same time
   * @param places how many may wait
   */
  constructor(
    private readonly count: number,
    private readonly places: number,
    private readonly options: SlotsOptions = {},
  ) {}

  /** Pieces of work that run or wait. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.taken, waiting: this.waiting.length }
  }

  /** Pieces of one tenant's work that run or wait. */
  loadOf(tenant: string): { readonly running: number; readonly waiting: number } {
    return { running: this.runningBy.get(tenant) ?? 0, waiting: this.waiting.lengthOf(tenant) }
  }

  /** Whether work of the tenant would begin at once. */
  isFree(tenant: string): boolean {
    const { reserve = 0, perTenant = Infinity } = this.options
    const { running } = this.loadOf(tenant)
    return running < perTenant && this.taken < this.count + (running === 0 ? reserve : 0)
  }

  /** Whether work of the tenant would begin at once or wait, rather than be refused. */
  hasRoom(tenant: string): boolean {
    return this.isFree(tenant) || this.waiting.length < this.places || this.waiting.lastOfLongest(tenant) !== undefined
  }

  /**
   * Runs the work when its turn has come. The signal ends only the wait: work that has begun keeps its slot until it
   * ends.
   * @throws overloaded, or the refusal of the options, where too many wait; not_ready once closed; the signal's reason;
   * what the work throws
   */
  async run<Value>(asking: Requester, work: () => Promise<Value>): Promise<Value> {
    const { signal, tenant } = asking
    signal.throwIfAborted()
    if (this.closed) throw closed()
    // Nobody who waits could run instead: when the last work ended, the slot would have gone to them.
    if (this.isFree(tenant)) this.occupy(tenant)
    else await this.turn(asking)
    try {
      return await work()
    } finally {
      this.release(tenant)
    }
  }

  /** Refuses all who wait, and all who ask from now on; work that runs goes on. */
  close(): void {
    this.closed = true
    for (const { refuse } of [...this.waiting]) refuse(closed())
  }

  private occupy(tenant: string): void {
    this.taken += 1
    this.runningBy.set(tenant, (this.runningBy.get(tenant) ?? 0) + 1)
  }

  private turn({ signal, tenant }: Requester): Promise<void> {
    if (this.waiting.length >= this.places) this.makeRoom(tenant)
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting.remove(tenant, waiter)
        signal.removeEventListener('abort', giveUp)
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
      const giveUp = () => waiter.refuse(signal.reason as Error)
      signal.addEventListener('abort', giveUp, { once: true })
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
    this.taken -= 1
    const left = (this.runningBy.get(tenant) ?? 1) - 1
    if (left) this.runningBy.set(tenant, left)
    else this.runningBy.delete(tenant)
    // Work that began without a wait counts as a turn, too.
    this.waiting.putLast(tenant)
    this.waiting.take((next) => (this.isFree(next) ? this.loadOf(next).running : Infinity))?.begin()
  }
}

const closed = () => failure('not_ready', { state: 'draining' })
