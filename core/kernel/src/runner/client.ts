import { onAbort } from '@sallyport/kit/async'
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
  readonly silence: number
  readonly onLog?: (frame: LogFrame) => void
  /** Called with a description, for the log, of what arrived and is no valid frame. */
  readonly onInvalid?: (problem: string) => void
  /** Called once when the connection ends; gives the error with which the calls in flight fail. */
  readonly onClosed: (reason: string) => SallyportError
}

/** A call that has been sent and not answered. */
interface Pending {
  readonly silence: number
  chunks(payloads: readonly unknown[]): boolean
  end(payload: unknown): void
  fail(error: Error): void
}

interface InFlight extends Pending {
  /** Stops listening to the caller's signal. */
  release(): void
}

export const connect = (transport: Transport<RequestFrame>, options: ConnectOptions): Connection =>
  new Connection(transport, options)

export class Connection implements Caller {
  private readonly calls = new Map<number, InFlight>()
  private readonly idleListeners = new Set<() => void>()
  private readonly outbox: Outbox<RequestFrame>
  private readonly liveness: Liveness
  private lastId = 0
  private isHung = false
  private closed: SallyportError | undefined

  constructor(
    private readonly transport: Transport<RequestFrame>,
    private readonly options: ConnectOptions,
  ) {
    this.outbox = new Outbox(transport, (frame, error) => this.replaceUnsendable(frame, error))
    this.liveness = new Liveness({
      interval: Math.min(1000, options.silence / 4),
      maxSilence: () => this.allowedSilence(),
      busy: () => this.calls.size > 0,
      ping: () => this.outbox.push({ type: 'ping' }),
      onSilent: (silence) => this.giveUp(`it did not answer for ${formatSeconds(silence)}`),
    })
    transport.onFrame((frame) => this.receive(frame))
    transport.onClose((reason) => this.close(reason))
  }

  /** Whether the connection was closed because the other side did not answer. */
  get hung(): boolean {
    return this.isHung
  }

  /** The number of calls in flight. */
  get inFlight(): number {
    return this.calls.size
  }

  /** @param silence milliseconds, longer for calls that block the other side's event loop, such as loading */
  call(method: string, payload: unknown, call: Call, silence = this.options.silence): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.open(method, payload, call, { silence, chunks: () => false, end: resolve, fail: reject })
    })
  }

  stream(method: string, payload: unknown, call: Call): AsyncIterableIterator<unknown> {
    let id = 0
    const { silence } = this.options
    const pending: Pending = {
      silence,
      chunks: (payloads) => reader.push(payloads),
      end: () => reader.end(),
      fail: (error) => (call.signal.aborted ? reader.abort(error) : reader.fail(error)),
    }
    const reader = new StreamReader({
      open: () => {
        id = this.open(method, payload, call, pending)
      },
      grant: (chunks) => this.outbox.push({ type: 'credit', id, chunks }),
      cancel: () => this.cancel(id),
    })
    return reader
  }

  /** Resolves when no call is in flight, or when the signal is aborted. */
  async idle(signal: AbortSignal): Promise<void> {
    if (this.calls.size === 0 || signal.aborted) return
    await new Promise<void>((resolve) => {
      const settle = () => {
        this.idleListeners.delete(settle)
        signal.removeEventListener('abort', settle)
        resolve()
      }
      this.idleListeners.add(settle)
      signal.addEventListener('abort', settle)
    })
  }

  /** Cancels every call in flight: it fails with the error. */
  cancelAll(error: SallyportError): void {
    for (const id of [...this.calls.keys()]) this.cancel(id)?.fail(error)
  }

  close(reason = 'closed here'): void {
    if (this.closed) return
    this.closed = this.options.onClosed(reason)
    this.liveness.stop()
    for (const id of [...this.calls.keys()]) this.forget(id)?.fail(this.closed)
    this.transport.close()
  }

  /** Closes the connection to a side that hangs. */
  giveUp(reason: string): void {
    if (this.closed) return
    this.isHung = true
    this.close(reason)
  }

  private open(method: string, payload: unknown, call: Call, pending: Pending): number {
    if (call.signal.aborted) throw asError(call.signal.reason)
    if (this.closed) throw this.closed
    const id = ++this.lastId
    const { deadline, requestId, tenant, signal } = call
    const release = onAbort(signal, () => this.cancel(id)?.fail(asError(signal.reason)))
    this.calls.set(id, { ...pending, release })
    const left = Number.isFinite(deadline) ? { deadline: deadline - Date.now() } : {}
    this.outbox.push({ type: 'call', id, method, payload, ...left, requestId, tenant, credit: creditWindow })
    return id
  }

  /** Flushes at once: an answer that nobody waits for would take computing time from other calls. */
  private cancel(id: number): Pending | undefined {
    const pending = this.forget(id)
    if (pending) {
      this.outbox.push({ type: 'cancel', id })
      this.outbox.flush()
    }
    return pending
  }

  private forget(id: number): Pending | undefined {
    const pending = this.calls.get(id)
    if (!pending) return undefined
    this.calls.delete(id)
    pending.release()
    if (this.calls.size === 0) for (const listener of this.idleListeners) listener()
    return pending
  }

  private receive(frame: unknown): void {
    if (this.closed) return
    this.liveness.reset()
    if (!isResponseFrame(frame)) this.options.onInvalid?.('a response frame of unknown form')
    else this.handle(frame)
  }

  /** Ignores answers to calls that have been cancelled meanwhile. */
  private handle(frame: ResponseFrame): void {
    switch (frame.type) {
      case 'chunk':
        if (this.calls.get(frame.id)?.chunks(frame.payloads) === false) this.refuse(frame.id)
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

  /** Fails a call that received chunks without credit, or that is no stream. */
  private refuse(id: number): void {
    this.options.onInvalid?.('chunks without credit')
    this.cancel(id)?.fail(failure('internal', {}))
  }

  private replaceUnsendable(frame: RequestFrame, cause: unknown): undefined {
    if (frame.type === 'call') this.forget(frame.id)?.fail(failure('internal', {}, { cause }))
  }

  private allowedSilence(): number {
    return [...this.calls.values()].reduce((longest, { silence }) => Math.max(longest, silence), this.options.silence)
  }
}
