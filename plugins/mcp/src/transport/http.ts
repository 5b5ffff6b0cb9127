/** The protocol over HTTP: the library's transports, each message under a signal of its own. */

import { SSEClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { isJSONRPCNotification, isJSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { OutboundError } from '@sallyport/outbound'
import { ServerFault } from '../fault.js'
import { fetchOver } from './fetch.js'
import type { HttpEndpoint } from './fetch.js'
import { MessageBound } from './rate-limit.js'
import { PendingRequests } from './pending.js'
import type { Pending } from './pending.js'
import type { ToolTransport } from './tool-transport.js'

export type HttpKind = 'streamable-http' | 'sse'

/** Of the answer's own errors, which the library does not tell the request of. */
const brokenAnswer = -32_000

export class HttpTransport implements ToolTransport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  failure: Error | undefined
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- there are still servers that speak nothing else
  readonly #inner: StreamableHTTPClientTransport | OlderTransport
  readonly #pending = new PendingRequests()
  readonly #bound: MessageBound
  #closed = false
  #hasListened = false

  constructor(
    private readonly endpoint: HttpEndpoint,
    private readonly kind: HttpKind,
  ) {
    this.#bound = new MessageBound(endpoint.maxMessages)
    const fetch = (url: string | URL, init?: RequestInit) => this.#fetch(String(url), init)
    const url = new URL(endpoint.url)
    this.#inner =
      kind === 'sse'
        ? // eslint-disable-next-line @typescript-eslint/no-deprecated -- see above
          new OlderTransport(url, { fetch, redirectPolicy: 'follow' })
        : new StreamableHTTPClientTransport(url, { fetch, redirectPolicy: 'follow' })
    this.#inner.onmessage = (message) => this.#receive(message)
    this.#inner.onerror = (error) => this.#failed(error)
    this.#inner.onclose = () => this.#ended()
  }

  get sessionId(): string | undefined {
    return 'sessionId' in this.#inner ? this.#inner.sessionId : undefined
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version)
  }

  start(): Promise<void> {
    return this.#inner.start()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') this.#cancel(message.params)
    if (!isJSONRPCRequest(message)) return this.#inner.send(message)
    const { id } = message
    const pending = this.#pending.add(id)
    this.#bound.expect()
    try {
      if (this.#inner instanceof StreamableHTTPClientTransport)
        await this.#inner.send(message, { onresumptiontoken: (token) => (pending.resumption = token) })
      else await this.#inner.send(message)
    } catch (error) {
      this.#pending.forget(id)
      throw error
    }
  }

  async endSession(): Promise<void> {
    if ('terminateSession' in this.#inner && !this.failure) await this.#inner.terminateSession()
  }

  async close(): Promise<void> {
    await this.#inner.close()
  }

  #receive(message: JSONRPCMessage): void {
    if ('id' in message && !('method' in message) && message.id !== undefined) this.#pending.forget(message.id)
    if (this.#mayGoOn() && this.#bound.takes(message)) this.onmessage?.(message)
  }

  /** Of each event that is no message, among others. */
  #failed(error: Error): void {
    if (this.#mayGoOn()) this.onerror?.(error)
  }

  /** Ends the connection of a server that says too much. */
  #mayGoOn(): boolean {
    const fault = this.#closed ? undefined : this.#bound.count()
    if (!fault) return !this.#closed
    this.#lost(fault)
    void this.close()
    return false
  }

  #cancel(params: object | undefined): void {
    const id = params && 'requestId' in params ? (params.requestId as RequestId) : undefined
    if (id === undefined) return
    this.#pending.forget(id)?.reading.abort(new ServerFault('was no longer listened to'))
  }

  /** The request whose answer this exchange brings. */
  #requestOf(init: RequestInit | undefined): RequestId | undefined {
    if (init?.method === 'POST' && typeof init.body === 'string') return (JSON.parse(init.body) as { id?: number }).id
    const token = resumptionOf(init)
    return token === null ? undefined : this.#pending.resumedAt(token)
  }

  async #fetch(url: string, init: RequestInit | undefined): Promise<Response> {
    const id = this.#requestOf(init)
    const pending = id === undefined ? undefined : this.#pending.get(id)
    const method = init?.method ?? 'GET'
    const token = resumptionOf(init)
    const resumes = token !== null
    // as of a server that offers no stream: the library lets it be
    if (resumes && this.#pending.isOver(token)) return new Response(null, { status: 405 })
    try {
      const signal = signalOf(init, pending, resumes)
      const response = await fetchOver(this.endpoint, url, init, signal, (error) => this.#bodyEnded(method, id, error))
      if (resumes && !response.ok) this.#fail(id, new ServerFault('broke off in the middle of its answer'))
      if (this.#isSessionOver(method, response)) this.#lost(new ServerFault('has ended the session'))
      return response
    } catch (error) {
      if (resumes) this.#fail(id, error)
      if (error instanceof OutboundError && error.reason === 'unreachable') this.#lost(error)
      throw error
    }
  }

  /**
   * 404 by the protocol, and 400 by servers that have been started again. A stream of events that is refused from the
   * beginning means that there is none.
   */
  #isSessionOver(method: string, { ok, status }: Response): boolean {
    if (this.sessionId === undefined) return false
    if (method !== 'GET') return status === 404
    this.#hasListened ||= ok
    return this.#hasListened && (status === 404 || status === 400)
  }

  /** An answer that may be taken up again is: the library asks for the rest of it. */
  #bodyEnded(method: string, id: RequestId | undefined, error: unknown): void {
    if (this.kind === 'sse') {
      if (method !== 'GET') return
      // all answers come this way
      this.#lost(error ?? new ServerFault('ended the connection'))
      void this.close()
    }
    if (id === undefined) return
    const tooMuch = error instanceof OutboundError && error.reason === 'too_large'
    // streams, decoders and parsers of the library hand on in promises: when the event loop turns, all has been received
    setImmediate(() => {
      if (tooMuch || this.#pending.get(id)?.resumption === undefined)
        this.#fail(id, error ?? new ServerFault('ended its answer without a result'))
    })
  }

  #fail(id: RequestId | undefined, error: unknown): void {
    if (id === undefined || !this.#pending.forget(id)) return
    this.onmessage?.({ jsonrpc: '2.0', id, error: { code: brokenAnswer, message: 'no answer', data: error } })
  }

  /** New messages go nowhere; what is still being answered may be. */
  #lost(error: unknown): void {
    if (this.failure || this.#closed) return
    this.failure = error instanceof Error ? error : new Error(String(error))
    this.onerror?.(this.failure)
  }

  #ended(): void {
    if (this.#closed) return
    this.#closed = true
    this.#pending.abort(new ServerFault('ended the connection'))
    this.onclose?.()
  }
}

const resumptionOf = (init: RequestInit | undefined): string | null => new Headers(init?.headers).get('last-event-id')

/** The end of the connection aborts what is read for a request, too: most of them need one signal. */
const signalOf = (init: RequestInit | undefined, pending: Pending | undefined, resumes: boolean): AbortSignal => {
  const own = init?.signal ?? new AbortController().signal
  if (!pending) return own
  return resumes ? AbortSignal.any([own, pending.reading.signal]) : pending.reading.signal
}
