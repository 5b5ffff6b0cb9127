/** The guarded fetch in the form in which the library's transports take one. */

import { Pacer } from '@sallyport/kit/async'
import type { GuardedFetch } from '@sallyport/outbound'
import type { MessageLimits } from './tool-transport.js'
import { pacedChunks, refusingBatches } from './paced-body.js'
import { EventValueBound, ValueBound } from './value-bound.js'

/** A server that is reached over HTTP. */
export interface HttpEndpoint extends MessageLimits {
  readonly url: string
  readonly fetch: GuardedFetch
  /** For the origin of the url alone. */
  readonly credentials: Readonly<Record<string, string>>
  /** Seconds for the connection. */
  readonly connectTimeout: number
  /** Seconds for an answer. */
  readonly maxTimeout: number
}

/** Name a session, so they go where credentials go. */
const session = ['mcp-session-id', 'last-event-id']

/** Statuses whose answers have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * @param onBodyEnd told that the body has ended, or what ended it; not of one that was cancelled
 */
export const fetchOver = async (
  endpoint: HttpEndpoint,
  url: string,
  init: RequestInit | undefined,
  signal: AbortSignal,
  onBodyEnd: (error?: unknown) => void,
): Promise<Response> => {
  const { fetch, credentials, maxBytes, tenant } = endpoint
  const named = Object.fromEntries(new Headers(init?.headers))
  const own = Object.fromEntries(session.flatMap((name) => (named[name] === undefined ? [] : [[name, named[name]]])))
  const method = (init?.method ?? 'GET') as 'GET' | 'POST' | 'DELETE'
  const { status, headers, body } = await fetch.exchange(url, {
    method,
    headers: Object.fromEntries(Object.entries(named).filter(([name]) => !session.includes(name))),
    credentials: { ...credentials, ...own },
    signal,
    bytes: maxBytes,
    ...timeLimits(method, endpoint),
    ...(method === 'POST' && { body: init?.body as string }),
  })
  if (bodiless.has(status)) {
    await body.cancel()
    return new Response(null, { status, headers })
  }
  const reader = body.getReader()
  const isJson = headers['content-type']?.toLowerCase().includes('json') ?? false
  const values = isJson ? new ValueBound() : new EventValueBound()
  const chunks = pacedChunks(reader, values, new Pacer({ signal, tenant }))
  const read = watched(isJson ? refusingBatches(chunks) : chunks, onBodyEnd, () => reader.cancel())
  return new Response(read, { status, headers })
}

/** A server may answer a message when it is done, and begin a stream of events with the first of them. */
const timeLimits = (method: string, { connectTimeout, maxTimeout }: HttpEndpoint) => {
  if (method === 'POST') return { headSeconds: maxTimeout, bodySeconds: maxTimeout }
  return method === 'GET' ? {} : { headSeconds: connectTimeout }
}

const watched = (
  chunks: AsyncGenerator<Uint8Array>,
  onEnd: (error?: unknown) => void,
  cancel: () => Promise<void>,
): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await chunks.next()
        if (!next.done) {
          controller.enqueue(next.value)
          return
        }
        controller.close()
        onEnd()
      } catch (error) {
        controller.error(error)
        onEnd(error)
      }
    },
    cancel,
  })
