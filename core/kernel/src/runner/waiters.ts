import { untilAborted } from '@sallyport/kit/async'

/** Calls that wait for a value that is not available yet. */
export class Waiters<Value> {
  private readonly waiters = new Set<Waiter<Value>>()

  /** Resolves all waiting calls with the value. */
  resolveAll(value: Value): void {
    for (const { resolve } of this.waiters) resolve(value)
  }

  /** Rejects all waiting calls. */
  rejectAll(error: Error): void {
    for (const { reject } of this.waiters) reject(error)
  }

  /** @param timeout milliseconds after which the call is rejected with the `timeoutError` */
  async wait(signal: AbortSignal, timeout: number, timeoutError: () => Error): Promise<Value> {
    let leave: (() => void) | undefined
    const waiting = new Promise<Value>((resolve, reject) => {
      const waiter = { resolve, reject }
      const timer = setTimeout(() => reject(timeoutError()), Math.max(0, timeout))
      this.waiters.add(waiter)
      leave = () => {
        this.waiters.delete(waiter)
        clearTimeout(timer)
      }
    })
    return untilAborted(waiting, signal).finally(leave)
  }
}

interface Waiter<Value> {
  readonly resolve: (value: Value) => void
  readonly reject: (error: Error) => void
}
