/** The protocol over HTTP: wraps the MCP SDK's transports, and gives each request a signal of its own. */

import { SSEClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { isJSONRPCNotification, isJSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { OutboundError } from '@sallyport/outbound'
import { ServerFault } from '../fault.js'
import { fetchFromServer } from './mcp-fetch.js'
import type { HttpEndpoint } from './mcp-fetch.js'
import { MessageRateLimit } from './message-rate-limit.js'
import { PendingRequests } from './pending.js'
import type { Pending } from './pending.js'
import type { ToolTransport } from './tool-transport.js'

export type HttpKind = 'streamable-http' | 'sse'

/** The error code with which requests fail here when their response breaks off: the MCP SDK would let them wait. */
const brokenResponseCode = -32_000

export class HttpTransport implements ToolTransport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  failure: Error | undefined
  // oxlint-disable-next-line typescript/no-deprecated -- there are still servers that speak nothing else
  readonly #inner: StreamableHTTPClientTransport | OlderTransport
  readonly #pending = new PendingRequests()
  readonly #rateLimit: MessageRateLimit
  #closed = false
  #hasListened = false

  constructor(
    private readonly endpoint: HttpEndpoint,
    private readonly kind: HttpKind,
  ) {
    this.#rateLimit = new MessageRateLimit(endpoint.maxMessages)
    const fetch = (url: string | URL, init?: RequestInit) => this.#fetch(String(url), init)
    const url = new URL(endpoint.url)
    this.#inner =
      kind === 'sse'
        ? // oxlint-disable-next-line typescript/no-deprecated -- see above
          new OlderTransport(url, { fetch, redirectPolicy: 'follow' })
        : new StreamableHTTPClientTransport(url, { fetch, redirectPolicy: 'follow' })
    this.#inner.onmessage = (message) => this.#receive(message)
    this.#inner.onerror = (error) => this.#reportError(error)
    this.#inner.onclose = () => this.#end()
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
    const pending = this.#pending.add(id, traceOf(message))
    this.#rateLimit.expectResponse()
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
    if (this.#countMessage(message) && this.#rateLimit.accepts(message)) this.onmessage?.(message)
  }

  /** The MCP SDK also reports each event that is not a message, so errors count as messages. */
  #reportError(error: Error): void {
    if (this.#countMessage()) this.onerror?.(error)
  }

  /** Counts a message, and closes the connection of a server that sends too many. @returns whether it is still open */
  #countMessage(message?: JSONRPCMessage): boolean {
    const fault = this.#closed ? undefined : this.#rateLimit.count(message)
    if (!fault) return !this.#closed
    this.#lose(fault)
    void this.close()
    return false
  }

  #cancel(params: object | undefined): void {
    const id = params && 'requestId' in params ? (params.requestId as RequestId) : undefined
    if (id === undefined) return
    this.#pending.forget(id)?.readController.abort(new ServerFault('did not answer before the request was cancelled'))
  }

  /** The id of the request to which this exchange brings the response. */
  #requestIdOf(init: RequestInit | undefined): RequestId | undefined {
    if (init?.method === 'POST' && typeof init.body === 'string') {
      const sent = JSON.parse(init.body) as { id?: RequestId; method?: string }
      // A response of ours has the id of a request of the server's.
      return sent.method === undefined ? undefined : sent.id
    }
    const token = resumptionOf(init)
    return token === null ? undefined : this.#pending.requestIdOf(token)
  }

  async #fetch(url: string, init: RequestInit | undefined): Promise<Response> {
    const id = this.#requestIdOf(init)
    const pending = id === undefined ? undefined : this.#pending.get(id)
    const method = init?.method ?? 'GET'
    const token = resumptionOf(init)
    const resumes = token !== null
    // 405 means that there is no stream, so the MCP SDK does not try again
    if (resumes && this.#pending.takeAbandoned(token)) return new Response(null, { status: 405 })
    try {
      const signal = signalOf(init, pending, resumes)
      const headers = { ...Object.fromEntries(new Headers(init?.headers)), ...pending?.trace }
      const response = await fetchFromServer(this.endpoint, url, { ...init, headers }, signal, (error) =>
        this.#bodyEnded(method, id, error),
      )
      if (resumes && !response.ok) this.#failRequest(id, new ServerFault('broke off in the middle of its response'))
      if (this.#isSessionOver(method, response)) this.#lose(new ServerFault('has ended the session'))
      return response
    } catch (error) {
      if (resumes) this.#failRequest(id, error)
      if (error instanceof OutboundError && error.reason === 'unreachable') this.#lose(error)
      throw error
    }
  }

  /**
   * After the end of a session, the protocol has servers answer 404; some answer 400 after a restart. Where a server has
   * never accepted the stream of events, its refusal only means that it has no such stream.
   */
  #isSessionOver(method: string, { ok, status }: Response): boolean {
    if (this.sessionId === undefined) return false
    if (method !== 'GET') return status === 404
    this.#hasListened ||= ok
    return this.#hasListened && (status === 404 || status === 400)
  }

  /** Fails the request, unless the MCP SDK can resume its response. */
  #bodyEnded(method: string, id: RequestId | undefined, error: unknown): void {
    if (this.kind === 'sse') {
      if (method !== 'GET') return
      // over SSE, all responses come on this stream
      this.#lose(error ?? new ServerFault('ended the connection'))
      void this.close()
    }
    if (id === undefined) return
    const isTooLarge = error instanceof OutboundError && error.reason === 'too_large'
    // the MCP SDK's streams and parsers pass data on in promises, all of which have settled when the event loop turns
    setImmediate(() => {
      if (isTooLarge || this.#pending.get(id)?.resumption === undefined)
        this.#failRequest(id, error ?? new ServerFault('ended its response without a result'))
    })
  }

  #failRequest(id: RequestId | undefined, error: unknown): void {
    if (id === undefined || !this.#pending.forget(id)) return
    this.onmessage?.({ jsonrpc: '2.0', id, error: { code: brokenResponseCode, message: 'no response', data: error } })
  }

  /** Marks the server as lost; running requests may still get responses. */
  #lose(error: unknown): void {
    if (this.failure || this.#closed) return
    this.failure = error instanceof Error ? error : new Error(String(error))
    this.onerror?.(this.failure)
  }

  #end(): void {
    if (this.#closed) return
    this.#closed = true
    this.#pending.abort(new ServerFault('ended the connection'))
    this.onclose?.()
  }
}

/** The trace of a message, as the protocol has it, is sent in headers, too, for what stands before the server. */
const traceOf = ({ params }: JSONRPCRequest): Pending['trace'] =>
  Object.fromEntries(
    ['traceparent', 'tracestate'].flatMap((name) => {
      const value = params?._meta?.[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

const resumptionOf = (init: RequestInit | undefined): string | null => new Headers(init?.headers).get('last-event-id')

/**
 * The response to a pending request is read under the request's own signal, as the MCP SDK's is not aborted when the
 * request is cancelled; a resumed one under both; any other exchange under the SDK's.
 */
const signalOf = (init: RequestInit | undefined, pending: Pending | undefined, resumes: boolean): AbortSignal => {
  const sdkSignal = init?.signal ?? new AbortController().signal
  if (!pending) return sdkSignal
  return resumes ? AbortSignal.any([sdkSignal, pending.readController.signal]) : pending.readController.signal
}
