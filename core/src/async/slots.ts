import type { Call } from '../capabilities/call.js'
import { failure } from '../errors/index.js'
import { FairQueue } from './fair-queue.js'

interface Waiter {
  readonly begin: () => void
  readonly refuse: (error: Error) => void
}

/** Whose work it is, and until when it is wanted. */
export type Asking = Pick<Call, 'signal' | 'tenant'>

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
   * @param reserve further slots, for tenants that run nothing: they do not wait for the end of others' long work
   */
  constructor(
    private readonly count: number,
    private readonly places: number,
    private readonly reserve = 0,
  ) {}

  /** Pieces of work that run or wait. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.taken, waiting: this.waiting.length }
  }

  /**
   * Runs the work when its turn has come. Under the signal it only waits: work that has begun keeps its slot until it
   * ends.
   * @throws overloaded where too many wait; not_ready once closed; the signal's reason; what the work throws
   */
  async run<Value>(asking: Asking, work: () => Promise<Value>): Promise<Value> {
    const { signal, tenant } = asking
    signal.throwIfAborted()
    if (this.closed) throw closed()
    // whoever waits may not run: the last end would have let it
    if (this.mayRun(tenant)) this.occupy(tenant)
    else await this.turn(asking)
    try {
      return await work()
    } finally {
      this.release(tenant)
    }
  }

  /** Refuses who waits, and who asks from now on; what runs goes on. */
  close(): void {
    this.closed = true
    for (const { refuse } of [...this.waiting]) refuse(closed())
  }

  private mayRun(tenant: string): boolean {
    return this.taken < this.count + (this.runningBy.has(tenant) ? 0 : this.reserve)
  }

  private occupy(tenant: string): void {
    this.taken += 1
    this.runningBy.set(tenant, (this.runningBy.get(tenant) ?? 0) + 1)
  }

  private turn({ signal, tenant }: Asking): Promise<void> {
    if (this.waiting.length >= this.places) this.makeRoom(tenant)
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting.remove(tenant, waiter)
        signal.removeEventListener('abort', giveUp)
      }
      const waiter: Waiter = {
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

  /** @throws overloaded */
  private makeRoom(tenant: string): void {
    const last = this.waiting.lastOfLongest(tenant)
    if (!last) throw failure('overloaded', {})
    last.refuse(failure('overloaded', {}))
  }

  private release(tenant: string): void {
    this.taken -= 1
    const left = (this.runningBy.get(tenant) ?? 1) - 1
    if (left) this.runningBy.set(tenant, left)
    else this.runningBy.delete(tenant)
    // work that began at once was a turn, too
    this.waiting.putLast(tenant)
    this.waiting.take((next) => (this.mayRun(next) ? (this.runningBy.get(next) ?? 0) : Infinity))?.begin()
  }
}

const closed = () => failure('not_ready', { state: 'draining' })
