/** Adapts `OutboundFetch` to the interface that the MCP SDK's transports expect. */

import { Pacer } from '@sallyport/kit/async'
import type { OutboundFetch } from '@sallyport/outbound'
import type { MessageLimits } from './tool-transport.js'
import { pacedChunks, refusingBatches } from './paced-body.js'
import { EventValueLimit, ValueLimit } from './value-limit.js'

export interface HttpEndpoint extends MessageLimits {
  readonly url: string
  readonly fetch: OutboundFetch
  /** Headers for the origin of the url only. */
  readonly credentials: Readonly<Record<string, string>>
  /** Seconds for the head, and again for the body, of a response to a message. */
  readonly maxTimeout: number
}

/** Headers that identify a session, which are sent like credentials. */
const sessionHeaders = ['mcp-session-id', 'last-event-id']

const bodilessStatuses: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * Fetches with the endpoint's `fetch`, and returns the response as the MCP SDK expects it.
 * @param onBodyEnd called when the body has ended, with the error if it failed; not called when it was cancelled
 */
export const fetchFromServer = async (
  endpoint: HttpEndpoint,
  url: string,
  init: RequestInit | undefined,
  signal: AbortSignal,
  onBodyEnd: (error?: unknown) => void,
): Promise<Response> => {
  const { fetch, credentials, maxBytes, tenant } = endpoint
  const sdkHeaders = Object.entries(Object.fromEntries(new Headers(init?.headers)))
  const isOfSession = ([name]: [string, string]) => sessionHeaders.includes(name)
  const method = (init?.method ?? 'GET') as 'GET' | 'POST' | 'DELETE'
  const { status, headers, body } = await fetch.exchange(url, {
    method,
    headers: Object.fromEntries(sdkHeaders.filter((header) => !isOfSession(header))),
    credentials: { ...credentials, ...Object.fromEntries(sdkHeaders.filter(isOfSession)) },
    signal,
    bytes: maxBytes,
    ...timeLimits(method, endpoint),
    ...(method === 'POST' && { body: init?.body as string }),
  })
  if (bodilessStatuses.has(status)) {
    await body.cancel()
    return new Response(null, { status, headers })
  }
  const reader = body.getReader()
  const isJson = headers['content-type']?.toLowerCase().includes('json') ?? false
  const values = isJson ? new ValueLimit() : new EventValueLimit()
  const chunks = pacedChunks(reader, values, new Pacer({ signal, tenant }))
  const observed = observedStream(isJson ? refusingBatches(chunks) : chunks, onBodyEnd, () => reader.cancel())
  return new Response(observed, { status, headers })
}

/**
 * Only a POST has limits, and long ones, as some servers send the head of the response only with the result. A GET may
 * wait for its first event, and a DELETE ends with the connection.
 */
const timeLimits = (method: string, { maxTimeout }: HttpEndpoint) =>
  method === 'POST' ? { headSeconds: maxTimeout, bodySeconds: maxTimeout } : {}

const observedStream = (
  chunks: AsyncGenerator<Uint8Array>,
  onEnd: (error?: unknown) => void,
  cancel: () => Promise<void>,
): ReadableStream<Uint8Array> => {
  let isCancelled = false
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await chunks.next()
        if (isCancelled) return
        if (!next.done) {
          controller.enqueue(next.value)
          return
        }
        controller.close()
        onEnd()
      } catch (error) {
        if (isCancelled) return
        controller.error(error)
        onEnd(error)
      }
    },
    cancel: () => {
      isCancelled = true
      return cancel()
    },
  })
}
