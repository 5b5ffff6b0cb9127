import { untilAborted } from '@sallyport/kit/async'

/** Where calls wait for something that is not there yet. */
export class Gate<Value> {
  private readonly waiters = new Set<Waiter<Value>>()

  /** Lets everybody through. */
  open(value: Value): void {
    for (const { resolve } of this.waiters) resolve(value)
  }

  /** Sends everybody away. */
  shut(error: Error): void {
    for (const { reject } of this.waiters) reject(error)
  }

  /** Waits for at most `limit` ms and no longer than the signal allows; `late` makes the error of waiting in vain. */
  async pass(signal: AbortSignal, limit: number, late: () => Error): Promise<Value> {
    let leave: (() => void) | undefined
    const passing = new Promise<Value>((resolve, reject) => {
      const waiter = { resolve, reject }
      const timer = setTimeout(() => reject(late()), Math.max(0, limit))
      this.waiters.add(waiter)
      leave = () => {
        this.waiters.delete(waiter)
        clearTimeout(timer)
      }
    })
    return untilAborted(passing, signal).finally(leave)
  }
}

interface Waiter<Value> {
  readonly resolve: (value: Value) => void
  readonly reject: (error: Error) => void
}
