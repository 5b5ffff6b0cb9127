/**
 * Answers what Node's parser refuses. It never becomes a request, so the answer is written by hand, and the connection
 * ends.
 */

import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { failure } from '@sallyport/core'
import type { SallyportError } from '@sallyport/core'
import { dialectOfPath } from '../dialects/dialect.js'
import { routingPath } from './path.js'

interface Refusal {
  readonly status: number
  readonly error: SallyportError
}

const tooSlow: Refusal = { status: 408, error: failure('request_timeout', {}) }

const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, error: failure('invalid_request', { problem: 'the headers are too large' }) },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    error: failure('invalid_request', { problem: 'the extensions of the chunks are too large' }),
  },
  ERR_HTTP_REQUEST_TIMEOUT: tooSlow,
}

/** The answer to other protocols and versions. */
export const notHttp = 'this is not valid HTTP/1.1'

const malformed: Refusal = { status: 400, error: failure('invalid_request', { problem: notHttp }) }

export const answerClientErrors = (server: Server): void => {
  const answers = new WeakMap<Duplex, ServerResponse>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => answers.set(request.socket, response))
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex) => {
    const current = answers.get(socket)
    const hasBegun = current !== undefined && current.headersSent && !current.writableFinished
    if (hasBegun || !socket.writable || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    socket.end(rawAnswer(refusals[error.code ?? ''] ?? malformed, error.rawPacket))
    // The other side may never close its half.
    setTimeout(() => socket.destroy(), 1000).unref()
  })
}

const rawAnswer = ({ status, error }: Refusal, packet: Buffer | undefined): string => {
  const target = /^[A-Z]+ (\S+)/.exec(packet?.toString('latin1', 0, 256) ?? '')?.[1] ?? '/'
  const body = JSON.stringify(dialectOfPath(routingPath(target)).errorBody(error))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `x-request-id: ${randomUUID()}`,
    'connection: close',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
