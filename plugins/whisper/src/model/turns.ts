import { failure, untilAborted } from '@sallyport/core'

/** One piece of work after the other, in the order of asking; those of several callers alternate. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve()
  private waiting = 0

  /** @param limit how many may wait */
  constructor(private readonly limit: number) {}

  /**
   * Work that has begun goes on when its caller gives up; what comes next waits for it.
   * @throws overloaded, the signal's reason, and what the work throws
   */
  take<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    signal.throwIfAborted()
    if (this.waiting > this.limit) throw failure('overloaded', {})
    this.waiting += 1
    const turn = this.last.then(() => {
      this.waiting -= 1
      signal.throwIfAborted()
      return work()
    })
    this.last = turn.catch(() => undefined)
    return untilAborted(turn, signal)
  }
}
