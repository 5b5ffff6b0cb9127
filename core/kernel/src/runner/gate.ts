import { untilAborted } from '@sallyport/kit/async'

/** Lets calls wait for a value that is not there yet. */
export class Gate<Value> {
  private readonly waiters = new Set<Waiter<Value>>()

  /** Resolves all waiting calls with the value. */
  open(value: Value): void {
    for (const { resolve } of this.waiters) resolve(value)
  }

  /** Rejects all waiting calls. */
  shut(error: Error): void {
    for (const { reject } of this.waiters) reject(error)
  }

  /** @param limit milliseconds after which the call is rejected with the error that `late` makes */
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
