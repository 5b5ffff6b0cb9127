/** The protocol over HTTP: wraps the library's transports, and gives each message a signal of its own. */

import { SSEClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { isJSONRPCNotification, isJSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { OutboundError } from '@sallyport/outbound'
import { ServerFault } from '../fault.js'
import { fetchOver } from './fetch-over.js'
import type { HttpEndpoint } from './fetch-over.js'
import { MessageBound } from './message-bound.js'
import { PendingRequests } from './pending.js'
import type { Pending } from './pending.js'
import type { ToolTransport } from './tool-transport.js'

export type HttpKind = 'streamable-http' | 'sse'

/** The code of errors of the answer's body, which the library does not pass on to the request. */
const brokenAnswerCode = -32_000

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
    this.#bound.expectAnswer()
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
    if (this.#mayGoOn() && this.#bound.accepts(message)) this.onmessage?.(message)
  }

  /** The library also reports each event that is no message, so errors count as messages. */
  #failed(error: Error): void {
    if (this.#mayGoOn()) this.onerror?.(error)
  }

  /** Counts a message, and closes the connection of a server that sends too many. */
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

  /** The id of the request that this exchange answers. */
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
    // 405 tells the library that there is no stream, so it does not try again
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
   * A server answers 404 by the protocol, and some answer 400 after a restart. Where the stream of events was never
   * accepted, its refusal only means that the server has none.
   */
  #isSessionOver(method: string, { ok, status }: Response): boolean {
    if (this.sessionId === undefined) return false
    if (method !== 'GET') return status === 404
    this.#hasListened ||= ok
    return this.#hasListened && (status === 404 || status === 400)
  }

  /** Fails the request, unless its answer can be resumed: then the library requests the rest. */
  #bodyEnded(method: string, id: RequestId | undefined, error: unknown): void {
    if (this.kind === 'sse') {
      if (method !== 'GET') return
      // over SSE, all answers come on this stream
      this.#lost(error ?? new ServerFault('ended the connection'))
      void this.close()
    }
    if (id === undefined) return
    const tooMuch = error instanceof OutboundError && error.reason === 'too_large'
    // the library's streams and parsers pass data on in promises, all of which have run when the event loop turns
    setImmediate(() => {
      if (tooMuch || this.#pending.get(id)?.resumption === undefined)
        this.#fail(id, error ?? new ServerFault('ended its answer without a result'))
    })
  }

  #fail(id: RequestId | undefined, error: unknown): void {
    if (id === undefined || !this.#pending.forget(id)) return
    this.onmessage?.({ jsonrpc: '2.0', id, error: { code: brokenAnswerCode, message: 'no answer', data: error } })
  }

  /** Marks the server as lost; running requests may still be answered. */
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

/** The end of the connection also aborts pending requests, so most of them need only their own signal. */
const signalOf = (init: RequestInit | undefined, pending: Pending | undefined, resumes: boolean): AbortSignal => {
  const own = init?.signal ?? new AbortController().signal
  if (!pending) return own
  return resumes ? AbortSignal.any([own, pending.reading.signal]) : pending.reading.signal
}
