import { setTimeout as after } from 'node:timers/promises'
import { untilAborted } from '@sallyport/kit/async'

/** Cancels one call of the upstream server when the caller aborts or a time limit is exceeded. */
export class CallCancellation {
  readonly signal: AbortSignal
  readonly #expiry = new AbortController()
  readonly #total: NodeJS.Timeout

  /** @param timeoutError makes the error for a call that took longer than `total` seconds. */
  constructor(caller: AbortSignal, total: number, timeoutError: () => Error) {
    this.signal = AbortSignal.any([caller, this.#expiry.signal])
    this.#total = setTimeout(() => this.#expiry.abort(timeoutError()), total * 1000).unref()
  }

  /** The promise's result, unless the call is cancelled first; after `seconds` it is cancelled. */
  async within<Value>(promise: Promise<Value>, seconds: number, timeoutError: () => Error): Promise<Value> {
    const timer = setTimeout(() => this.#expiry.abort(timeoutError()), seconds * 1000)
    try {
      return await untilAborted(promise, this.signal)
    } finally {
      clearTimeout(timer)
    }
  }

  /** @throws the reason of the cancellation */
  async pause(seconds: number): Promise<void> {
    await after(seconds * 1000, undefined, { signal: this.signal }).catch(() => undefined)
    this.signal.throwIfAborted()
  }

  dispose(): void {
    clearTimeout(this.#total)
  }
}
