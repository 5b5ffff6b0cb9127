import { asError } from './as-error.js'

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
    signal.throwIfAborted()
    let settled: (() => void) | undefined
    try {
      return await new Promise<Value>((resolve, reject) => {
        const waiter = { resolve, reject }
        const onAbort = () => reject(asError(signal.reason))
        const timer = setTimeout(() => reject(late()), Math.max(0, limit))
        signal.addEventListener('abort', onAbort)
        this.waiters.add(waiter)
        settled = () => {
          this.waiters.delete(waiter)
          signal.removeEventListener('abort', onAbort)
          clearTimeout(timer)
        }
      })
    } finally {
      settled?.()
    }
  }
}

interface Waiter<Value> {
  readonly resolve: (value: Value) => void
  readonly reject: (error: Error) => void
}
