import { failure } from '../errors/index.js'

interface Waiter {
  readonly begin: () => void
  readonly refuse: (error: Error) => void
}

/** So many pieces of work at the same time; so many others wait, and begin in the order in which they were asked for. */
export class Slots {
  private readonly waiting = new Set<Waiter>()
  private taken = 0
  private closed = false

  /**
   * @param count pieces of work at the same time
   * @param places how many may wait
   */
  constructor(
    private readonly count: number,
    private readonly places: number,
  ) {}

  /** Pieces of work that run or wait. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.taken, waiting: this.waiting.size }
  }

  /**
   * Runs the work when its turn has come. Under the signal it only waits: work that has begun keeps its slot until it
   * ends.
   * @throws overloaded where too many wait; not_ready once closed; the signal's reason; what the work throws
   */
  async run<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    signal.throwIfAborted()
    if (this.closed) throw closed()
    // whoever waits may not run: the last end would have let it
    if (this.taken < this.count) this.taken += 1
    else await this.turn(signal)
    try {
      return await work()
    } finally {
      this.release()
    }
  }

  /** Refuses who waits, and who asks from now on; what runs goes on. */
  close(): void {
    this.closed = true
    for (const { refuse } of this.waiting) refuse(closed())
  }

  private turn(signal: AbortSignal): Promise<void> {
    if (this.waiting.size >= this.places) throw failure('overloaded', {})
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting.delete(waiter)
        signal.removeEventListener('abort', giveUp)
      }
      const waiter: Waiter = {
        begin: () => {
          leave()
          resolve()
        },
        refuse: (error) => {
          leave()
          reject(error)
        },
      }
      const giveUp = () => waiter.refuse(signal.reason as Error)
      signal.addEventListener('abort', giveUp, { once: true })
      this.waiting.add(waiter)
    })
  }

  /** Hands the slot to whoever has waited longest. */
  private release(): void {
    const [next] = this.waiting
    if (next) next.begin()
    else this.taken -= 1
  }
}

const closed = () => failure('not_ready', { state: 'draining' })
