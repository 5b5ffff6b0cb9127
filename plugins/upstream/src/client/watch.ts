import { setTimeout as after } from 'node:timers/promises'
import { untilAborted } from '@sallyport/kit/async'

/** Cancels one call of the upstream server: when the caller goes, or when a time-out runs out. */
export class Watch {
  readonly #controller = new AbortController()
  readonly #total: NodeJS.Timeout
  readonly #forward = () => this.#controller.abort(this.caller.reason)

  /** @param expired makes the error for a call that took longer than `total` seconds. */
  constructor(
    private readonly caller: AbortSignal,
    total: number,
    expired: () => Error,
  ) {
    this.#total = setTimeout(() => this.#controller.abort(expired()), total * 1000).unref()
    this.signal.addEventListener('abort', () => this.dispose(), { once: true })
    if (caller.aborted) this.#forward()
    else caller.addEventListener('abort', this.#forward, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The promise's result, unless the call is cancelled first, or these seconds pass: then it is cancelled. */
  async within<Value>(promise: Promise<Value>, seconds: number, expired: () => Error): Promise<Value> {
    const timer = setTimeout(() => this.#controller.abort(expired()), seconds * 1000)
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
    this.caller.removeEventListener('abort', this.#forward)
  }
}
