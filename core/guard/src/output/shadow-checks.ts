import { abortWith, Channel } from '@sallyport/kit/async'
import type { Call } from '@sallyport/core'

/**
 * The checks of one call in shadow mode. Only the end of the answer waits for them, and they are aborted with the call.
 */
export class ShadowChecks {
  private readonly checks: Promise<unknown>[] = []
  /** Created with the first check, since most calls have none. */
  private running: { readonly call: Call; readonly abort: () => void } | undefined

  constructor(private readonly callerCall: Call) {}

  /** The call that the checks run under. */
  get call(): Call {
    this.running ??= abortable(this.callerCall)
    return this.running.call
  }

  add(checks: Promise<unknown>): void {
    this.checks.push(checks.catch(() => undefined))
  }

  /**
   * Passes the chunks on unchanged.
   * @param check reads the same chunks, which are buffered without limit; it must not change them
   */
  async *tee(chunks: AsyncIterable<unknown>, check: (same: AsyncIterable<unknown>) => AsyncIterable<unknown>) {
    const buffered = new Channel<unknown>(Infinity)
    this.add(drain(check(buffered.read())))
    try {
      for await (const chunk of chunks) {
        buffered.push(chunk)
        yield chunk
      }
    } finally {
      buffered.end()
    }
  }

  /** Resolves when all checks have reported. */
  async settled(): Promise<void> {
    await Promise.all(this.checks)
  }

  abort(): void {
    this.running?.abort()
  }
}

const abortable = (call: Call) => {
  const controller = new AbortController()
  const unlink = abortWith(call.signal, controller)
  const abort = () => {
    unlink()
    controller.abort()
  }
  return { call: { ...call, signal: controller.signal }, abort }
}

const drain = async (chunks: AsyncIterable<unknown>): Promise<void> => {
  const iterator = chunks[Symbol.asyncIterator]()
  while (!(await iterator.next()).done);
}
