/** Deadlines, cancellation and the count of running calls: what every call of the kernel goes through. */

import { randomUUID } from 'node:crypto'
import type { Call } from '../capabilities/call.js'
import { failure } from '../errors/index.js'
import type { CallOptions } from './kernel-api.js'

/** The tenant of callers that name none: programs that embed the kernel. */
export const localTenant = 'local'

interface RunningCall {
  readonly call: Call
  readonly end: () => void
}

/** Opens and closes calls, and knows when the last one has ended. */
export class CallTracker {
  private running = 0
  private idle: (() => void)[] = []
  private readonly closing = new AbortController()
  private refusing = false

  /** @param longest seconds that a call may take at most */
  constructor(private readonly longest: number) {}

  /** @throws not_ready once calls are refused. */
  open(options: CallOptions): RunningCall {
    if (this.refusing) throw failure('not_ready', { state: 'draining' })
    const limit = Date.now() + this.longest * 1000
    const deadline = Math.min(options.deadline ?? limit, limit)
    const timer = new AbortController()
    const left = Math.max(0, deadline - Date.now())
    const timeout = setTimeout(() => timer.abort(failure('deadline_exceeded', { limit: duration(left) })), left)
    const sources = [timer.signal, this.closing.signal, ...(options.signal ? [options.signal] : [])]
    this.running += 1
    let open = true
    return {
      call: {
        signal: AbortSignal.any(sources),
        deadline,
        requestId: options.requestId ?? randomUUID(),
        tenant: options.tenant ?? localTenant,
      },
      end: () => {
        if (!open) return
        open = false
        clearTimeout(timeout)
        this.running -= 1
        if (this.running === 0) for (const resolve of this.idle.splice(0)) resolve()
      },
    }
  }

  /** Resolves when no call is running. */
  async drained(): Promise<void> {
    if (this.running > 0) await new Promise<void>((resolve) => this.idle.push(resolve))
  }

  /** Lets running calls finish and opens no new ones. */
  refuse(): void {
    this.refusing = true
  }

  /** Ends every running call, too. */
  close(): void {
    this.refuse()
    this.closing.abort(failure('not_ready', { state: 'draining' }))
  }
}

const duration = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 100) / 10} s`

/** The promise's value, or the signal's reason, whichever is first: a backend that ignores the signal holds nobody. */
export const untilAborted = async <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> => {
  signal.throwIfAborted()
  let stop: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    if (stop) signal.removeEventListener('abort', stop)
  }
}

/** The stream's pieces until the signal is aborted; the source is told to end in every case. */
export async function* streamUntilAborted<Piece>(
  stream: AsyncIterable<Piece>,
  signal: AbortSignal,
): AsyncGenerator<Piece> {
  const iterator = stream[Symbol.asyncIterator]()
  let finished = false
  try {
    for (;;) {
      const next = iterator.next()
      next.catch(() => undefined)
      const result = await untilAborted(next, signal)
      if (result.done) {
        finished = true
        return
      }
      yield result.value
    }
  } finally {
    if (!finished) void Promise.resolve(iterator.return?.()).catch(() => undefined)
  }
}

/** Resolves when the signal is aborted. */
export const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
