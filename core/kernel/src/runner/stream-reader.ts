import { append } from '@sallyport/kit/lists'
import { creditWindow } from './protocol.js'

/** What a reader needs from its connection. */
interface StreamControl {
  /** Sends the call; throws when it cannot. */
  open(): void
  grant(chunks: number): void
  cancel(): void
}

type Result = IteratorResult<unknown, undefined>

interface Waiter {
  resolve(result: Result): void
  reject(error: Error): void
}

const done: Result = { value: undefined, done: true }

/**
 * The consumer's end of a stream: opens the call at the first read, returns credit only as chunks are read, cancels
 * when the consumer leaves early. It is not a generator, in which each chunk would pass through several more promises.
 */
export class StreamReader implements AsyncIterableIterator<unknown> {
  private readonly buffer: unknown[] = []
  private readonly waiters: Waiter[] = []
  private state: 'new' | 'open' | 'ended' = 'new'
  private error: Error | undefined
  /** Number of chunks that have been read and for which no credit has been returned. */
  private uncredited = 0

  constructor(private readonly control: StreamControl) {}

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Result> {
    if (this.state === 'new') this.open()
    if (this.buffer.length > 0) return Promise.resolve({ value: this.take(), done: false })
    if (this.state === 'ended') return this.finish()
    return new Promise((resolve, reject) => this.waiters.push({ resolve, reject }))
  }

  return(): Promise<Result> {
    if (this.state === 'open') this.control.cancel()
    this.error = undefined
    this.buffer.length = 0
    this.end()
    return Promise.resolve(done)
  }

  /** @returns false when more chunks are unread than a writer can have credit for */
  push(payloads: readonly unknown[]): boolean {
    if (this.state === 'ended') return true
    append(this.buffer, payloads)
    if (this.buffer.length > creditWindow) return false
    while (this.buffer.length > 0) {
      const waiter = this.waiters.shift()
      if (!waiter) break
      waiter.resolve({ value: this.take(), done: false })
    }
    return true
  }

  /** Ends the stream; what has arrived can still be read. */
  end(): void {
    this.state = 'ended'
    for (const waiter of this.waiters.splice(0)) waiter.resolve(done)
  }

  /** Ends the stream with an error, which is thrown after what has arrived has been read. */
  fail(error: Error): void {
    const waiter = this.waiters.shift()
    if (waiter) waiter.reject(error)
    else this.error = error
    this.end()
  }

  /** Ends the stream with an error and drops what has arrived. */
  abort(error: Error): void {
    this.buffer.length = 0
    this.fail(error)
  }

  private open(): void {
    this.state = 'open'
    try {
      this.control.open()
    } catch (error) {
      this.fail(asError(error))
    }
  }

  /** Throws the error once, as a generator does. */
  private finish(): Promise<Result> {
    const { error } = this
    this.error = undefined
    return error ? Promise.reject(error) : Promise.resolve(done)
  }

  private take(): unknown {
    const value = this.buffer.shift()
    this.uncredited += 1
    if (this.state === 'open' && this.uncredited >= creditWindow / 2) {
      this.control.grant(this.uncredited)
      this.uncredited = 0
    }
    return value
  }
}

/** Signals may be aborted, and promises rejected, with any value. */
export const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error('aborted', { cause: reason })
