import { InFlight, onAbort, untilAborted } from '@sallyport/kit/async'
import { failure } from '@sallyport/core'
import type { Call, SallyportError } from '@sallyport/core'
import { isResponseFrame, receiveError } from './frames.js'
import { Liveness, formatSeconds } from './liveness.js'
import { Outbox } from './outbox.js'
import { creditWindow } from './protocol.js'
import type { LogFrame, RequestFrame, ResponseFrame, Transport } from './protocol.js'
import { asError, StreamReader } from './stream-reader.js'

/** Calls methods that run elsewhere. */
export interface Caller {
  call(method: string, payload: unknown, call: Call): Promise<unknown>
  /** The call is sent at the first read; leaving the loop early cancels it. */
  stream(method: string, payload: unknown, call: Call): AsyncIterable<unknown>
}

export interface ConnectOptions {
  /** Milliseconds of silence, with pings unanswered, after which the connection is closed. */
  readonly maxSilence: number
  readonly onLog?: (frame: LogFrame) => void
  /** Called with a description, for the log, of a frame that was malformed or not allowed. */
  readonly onInvalid?: (problem: string) => void
  /** Called once when the connection ends; returns the error with which the calls in flight fail. */
  readonly onClosed: (reason: string) => SallyportError
}

/** What happens to the frames that answer a call. */
interface CallHandlers {
  readonly maxSilence: number
  /** @returns false when more chunks are unread than credit allows, or the call is not a stream */
  receiveChunks(payloads: readonly unknown[]): boolean
  end(payload: unknown): void
  fail(error: Error): void
}

/** A call that has been sent and not answered. */
interface PendingCall extends CallHandlers {
  /** Stops listening to the caller's signal. */
  release(): void
}

export const connect = (transport: Transport<RequestFrame>, options: ConnectOptions): Connection =>
  new Connection(transport, options)

export class Connection implements Caller {
  private readonly calls = new Map<number, PendingCall>()
  private readonly inFlight = new InFlight()
  private readonly outbox: Outbox<RequestFrame>
  private readonly liveness: Liveness
  private lastId = 0
  private isHung = false
  private closeError: SallyportError | undefined

  constructor(
    private readonly transport: Transport<RequestFrame>,
    private readonly options: ConnectOptions,
  ) {
    this.outbox = new Outbox(transport, (frame, error) => this.failUnsendable(frame, error))
    this.liveness = new Liveness({
      interval: Math.min(1000, options.maxSilence / 4),
      maxSilence: () => this.longestMaxSilence(),
      busy: () => this.calls.size > 0,
      ping: () => this.outbox.push({ type: 'ping' }),
      onSilent: (silence) => this.giveUp(`it did not answer for ${formatSeconds(silence)}`),
    })
    transport.onFrame((frame) => this.receive(frame))
    transport.onClose((reason) => this.close(reason))
  }

  /** Whether the connection was closed because the other side fell silent. */
  get hung(): boolean {
    return this.isHung
  }

  /** The number of calls in flight. */
  get pendingCount(): number {
    return this.calls.size
  }

  /** @param maxSilence milliseconds, longer for calls that block the other side's event loop, such as loading */
  call(method: string, payload: unknown, call: Call, maxSilence = this.options.maxSilence): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.open(method, payload, call, { maxSilence, receiveChunks: () => false, end: resolve, fail: reject })
    })
  }

  stream(method: string, payload: unknown, call: Call): AsyncIterableIterator<unknown> {
    let id = 0
    const { maxSilence } = this.options
    const handlers: CallHandlers = {
      maxSilence,
      receiveChunks: (payloads) => reader.push(payloads),
      end: () => reader.end(),
      fail: (error) => (call.signal.aborted ? reader.abort(error) : reader.fail(error)),
    }
    const reader = new StreamReader({
      open: () => {
        id = this.open(method, payload, call, handlers)
      },
      grant: (chunks) => this.outbox.push({ type: 'credit', id, chunks }),
      cancel: () => this.cancel(id),
    })
    return reader
  }

  /** Resolves when no call is in flight, or when the signal is aborted. */
  async idle(signal: AbortSignal): Promise<void> {
    await untilAborted(this.inFlight.whenIdle(), signal).catch(() => undefined)
  }

  /** Cancels all calls in flight: they fail with the error. */
  cancelAll(error: SallyportError): void {
    for (const id of [...this.calls.keys()]) this.cancel(id)?.fail(error)
  }

  close(reason = 'closed here'): void {
    if (this.closeError) return
    this.closeError = this.options.onClosed(reason)
    this.liveness.stop()
    for (const id of [...this.calls.keys()]) this.forget(id)?.fail(this.closeError)
    this.transport.close()
  }

  /** Closes the connection to a side that hangs. */
  giveUp(reason: string): void {
    if (this.closeError) return
    this.isHung = true
    this.close(reason)
  }

  private open(method: string, payload: unknown, call: Call, handlers: CallHandlers): number {
    if (call.signal.aborted) throw asError(call.signal.reason)
    if (this.closeError) throw this.closeError
    const id = ++this.lastId
    const { deadline, requestId, tenant, signal } = call
    const release = onAbort(signal, () => this.cancel(id)?.fail(asError(signal.reason)))
    this.calls.set(id, { ...handlers, release })
    this.inFlight.begin()
    const left = Number.isFinite(deadline) ? { timeout: deadline - Date.now() } : {}
    this.outbox.push({ type: 'call', id, method, payload, ...left, requestId, tenant, credit: creditWindow })
    return id
  }

  /** Flushes at once: an answer that nobody waits for would take computing time from other calls. */
  private cancel(id: number): CallHandlers | undefined {
    const pending = this.forget(id)
    if (pending) {
      this.outbox.push({ type: 'cancel', id })
      this.outbox.flush()
    }
    return pending
  }

  private forget(id: number): CallHandlers | undefined {
    const pending = this.calls.get(id)
    if (!pending) return undefined
    this.calls.delete(id)
    pending.release()
    this.inFlight.end()
    return pending
  }

  private receive(frame: unknown): void {
    if (this.closeError) return
    this.liveness.reset()
    if (!isResponseFrame(frame)) this.options.onInvalid?.('a malformed response frame')
    else this.handle(frame)
  }

  /** Ignores answers to calls that have been cancelled meanwhile. */
  private handle(frame: ResponseFrame): void {
    switch (frame.type) {
      case 'chunk':
        if (this.calls.get(frame.id)?.receiveChunks(frame.payloads) === false) this.refuse(frame.id)
        break
      case 'end':
        this.forget(frame.id)?.end(frame.payload)
        break
      case 'error':
        this.forget(frame.id)?.fail(receiveError(frame.error))
        break
      case 'log':
        this.options.onLog?.(frame)
        break
      case 'heartbeat':
    }
  }

  /** Fails a call whose chunks were refused. */
  private refuse(id: number): void {
    this.options.onInvalid?.('chunks without credit, or for a call that is not a stream')
    this.cancel(id)?.fail(failure('internal', {}))
  }

  private failUnsendable(frame: RequestFrame, cause: unknown): undefined {
    if (frame.type === 'call') this.forget(frame.id)?.fail(failure('internal', {}, { cause }))
  }

  private longestMaxSilence(): number {
    return [...this.calls.values()].reduce((max, call) => Math.max(max, call.maxSilence), this.options.maxSilence)
  }
}
