import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

const smallBodyTimeout = 100
const smallBody = 64 * 1024
const lingerTime = 2000

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Whether the rest of an unread body has arrived, so that the connection can be reused. A small body gets a moment to
 * arrive.
 */
export const bodyHasEnded = async (request: IncomingMessage): Promise<boolean> => {
  if (request.complete || !hasBody(request)) return true
  if (Number(request.headers['content-length'] ?? 0) > smallBody) return false
  await discard(request, smallBodyTimeout, smallBody)
  return request.complete
}

/**
 * Ends an answer whose request is still being sent. The client reads the answer first: closing at once would reset the
 * connection, and the answer would be lost with it.
 */
export const endAfterReading = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  if (!request.complete) await discard(request, lingerTime, Number.POSITIVE_INFINITY)
  response.end()
}

/** Reads and drops the body until it ends, the time is over, or the size is reached. */
const discard = async (request: IncomingMessage, milliseconds: number, bytes: number): Promise<void> => {
  const done = new AbortController()
  let size = 0
  const stop = () => done.abort()
  const count = (chunk: Buffer) => {
    size += chunk.length
    if (size > bytes) stop()
  }
  request.on('data', count).once('end', stop).once('close', stop)
  request.resume()
  await delay(milliseconds, undefined, { signal: done.signal, ref: false }).catch(() => undefined)
  request.off('data', count).off('end', stop).off('close', stop)
}
