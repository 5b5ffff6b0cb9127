import { maxTimer } from '@sallyport/kit/async'
import { errorTrace, failure, isSallyportError, toErrorData } from '@sallyport/core'
import type { Call, ErrorData } from '@sallyport/core'
import { frameId, isRequestFrame } from './frames.js'
import { Outbox } from './outbox.js'
import { heartbeatInterval } from './protocol.js'
import type { CallFrame, LogFrame, RequestFrame, ResponseFrame, Transport } from './protocol.js'

/** A method, which answers once or with a stream. */
export type Handler = (payload: unknown, call: Call) => Promise<unknown> | AsyncIterable<unknown>

/** Handlers by method name. */
export type Handlers = Readonly<Record<string, Handler>>

/** A call that is being served. */
interface RunningCall {
  readonly controller: AbortController
  readonly credit: Credit
  readonly finished: Promise<void>
}

/** Serves the handlers over the transport. The handlers may grow while it is open. */
export const serveTransport = (transport: Transport<ResponseFrame>, handlers: Handlers): Server =>
  new Server(transport, handlers)

export class Server {
  private readonly running = new Map<number, RunningCall>()
  private readonly outbox: Outbox<ResponseFrame>
  private heartbeat: NodeJS.Timeout | undefined

  constructor(
    transport: Transport<ResponseFrame>,
    private readonly handlers: Handlers,
  ) {
    this.outbox = new Outbox(transport, (frame, error) => this.replaceUnsendable(frame, error))
    transport.onFrame((frame) => this.receive(frame))
    transport.onClose(() => this.abortAll())
  }

  log(level: LogFrame['level'], fields: object, message: string): void {
    this.outbox.push({ type: 'log', level, fields, message })
  }

  /** Resolves when all running calls but the caller's own have ended. @param own the signal of the caller's own call */
  async othersFinished(own: AbortSignal): Promise<void> {
    const others = [...this.running.values()].filter(({ controller }) => controller.signal !== own)
    await Promise.all(others.map(({ finished }) => finished))
  }

  private receive(frame: unknown): void {
    if (!isRequestFrame(frame)) this.refuse(frame)
    else this.handle(frame)
  }

  private handle(frame: RequestFrame): void {
    switch (frame.type) {
      case 'call':
        this.start(frame)
        break
      case 'cancel':
        this.running.get(frame.id)?.controller.abort(failure('client_closed', {}))
        break
      case 'credit':
        this.running.get(frame.id)?.credit.add(frame.chunks)
        break
      case 'ping':
        this.outbox.push({ type: 'heartbeat' })
    }
  }

  private refuse(frame: unknown): void {
    this.log('warn', {}, 'refused a malformed request frame')
    const id = frameId(frame)
    if (id === undefined || this.running.has(id)) return
    const error = toErrorData(failure('invalid_request', { problem: 'malformed call frame' }))
    this.outbox.push({ type: 'error', id, error })
  }

  private start(frame: CallFrame): void {
    const { id } = frame
    if (this.running.has(id)) {
      this.log('warn', { id }, 'refused a call whose id is in use')
      return
    }
    const controller = new AbortController()
    const credit = new Credit(frame.credit)
    controller.signal.addEventListener('abort', () => credit.wake(), { once: true })
    const finished = this.serve(frame, controller, credit).finally(() => this.forget(id))
    this.running.set(id, { controller, credit, finished })
    this.heartbeat ??= setInterval(() => this.sendHeartbeat(), heartbeatInterval).unref()
  }

  private async serve(frame: CallFrame, controller: AbortController, credit: Credit): Promise<void> {
    const { id, method, payload } = frame
    const { signal } = controller
    const timer = timeoutTimer(frame, controller)
    try {
      const handler = Object.hasOwn(this.handlers, method) ? this.handlers[method] : undefined
      if (!handler) throw failure('unsupported', { problem: `there is no method ${method}` })
      const result = handler(payload, callOf(frame, signal))
      if (isAsyncIterable(result)) {
        await pump(result, credit, signal, (chunk) => this.outbox.push({ type: 'chunk', id, payloads: [chunk] }))
        this.outbox.push({ type: 'end', id })
      } else this.outbox.push({ type: 'end', id, payload: await result })
    } catch (error) {
      this.outbox.push({ type: 'error', id, error: this.report(error, frame, signal) })
    } finally {
      clearTimeout(timer)
    }
  }

  /** What a library says goes to the log; the caller learns what the table of errors says. */
  private report(error: unknown, { method, requestId }: CallFrame, signal: AbortSignal): ErrorData {
    if (signal.aborted) return toErrorData(signal.reason)
    const isDeclared = isSallyportError(error)
    const cause = isDeclared ? error.cause : error
    const fields = { method, requestId, error: errorTrace(cause, 'separate') }
    if (cause !== undefined) this.log(isDeclared ? 'warn' : 'error', fields, 'a call failed')
    return isDeclared ? toErrorData(error) : { code: 'internal', details: requestId === undefined ? {} : { requestId } }
  }

  private forget(id: number): void {
    this.running.delete(id)
    if (this.running.size > 0) return
    clearInterval(this.heartbeat)
    this.heartbeat = undefined
  }

  /** Sends one only in silence: chunks, too, show that this side is alive. */
  private sendHeartbeat(): void {
    const silence = performance.now() - this.outbox.lastSent
    if (silence >= heartbeatInterval - timerSlack) this.outbox.push({ type: 'heartbeat' })
  }

  private replaceUnsendable(frame: ResponseFrame, error: unknown): ResponseFrame | undefined {
    if (frame.type === 'log') return { ...frame, fields: {} }
    if (frame.type !== 'chunk' && frame.type !== 'end') return undefined
    this.log('error', { error: errorTrace(error, 'separate') }, 'a result cannot cross processes: only plain data can')
    this.running.get(frame.id)?.controller.abort(failure('internal', {}))
    return { type: 'error', id: frame.id, error: toErrorData(failure('internal', {})) }
  }

  /** Aborts all calls when the client has gone. */
  private abortAll(): void {
    for (const { controller } of this.running.values()) controller.abort(failure('client_closed', {}))
  }
}

/** Milliseconds by which a timer may come early. */
const timerSlack = 10

const timeoutTimer = ({ timeout }: CallFrame, controller: AbortController): NodeJS.Timeout | undefined =>
  timeout === undefined || timeout > maxTimer
    ? undefined
    : setTimeout(() => controller.abort(failure('deadline_exceeded', {})), Math.max(0, timeout))

const callOf = ({ timeout, requestId, tenant }: CallFrame, signal: AbortSignal): Call => ({
  signal,
  deadline: timeout === undefined ? Infinity : Date.now() + timeout,
  requestId: requestId ?? '',
  tenant: tenant ?? '',
})

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

/** Pulls only while there is credit: a slow reader pauses the generator. */
const pump = async (
  chunks: AsyncIterable<unknown>,
  credit: Credit,
  signal: AbortSignal,
  send: (chunk: unknown) => void,
): Promise<void> => {
  const iterator: AsyncIterator<unknown, unknown> = chunks[Symbol.asyncIterator]()
  const isAborted = () => signal.aborted
  for (;;) {
    while (credit.isExhausted && !isAborted()) await credit.available()
    if (isAborted()) break
    const result = await iterator.next()
    if (result.done) return
    if (isAborted()) break
    credit.spend()
    send(result.value)
  }
  await iterator.return?.()
  throw signal.reason
}

/** How many chunks may still be sent. */
class Credit {
  private resume: (() => void) | undefined

  constructor(private left: number) {}

  get isExhausted(): boolean {
    return this.left <= 0
  }

  spend(): void {
    this.left -= 1
  }

  add(chunks: number): void {
    this.left += chunks
    this.wake()
  }

  /** Resolves when credit arrives or the call is aborted. */
  available(): Promise<void> {
    return new Promise((resolve) => (this.resume = resolve))
  }

  wake(): void {
    this.resume?.()
    this.resume = undefined
  }
}
