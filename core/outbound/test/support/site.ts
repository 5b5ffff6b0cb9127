import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OutboundError, OutboundReason, OutboundRequest } from '../../src/index.js'

export interface Site {
  /** `127.0.0.1:port` */
  readonly host: string
  readonly url: string
  readonly requests: IncomingMessage[]
  /** Resolves when a connection has been closed. */
  readonly hungUp: Promise<void>
  readonly stop: () => Promise<void>
}

/** A server of this machine, for one test. */
export const startSite = async (listener: RequestListener): Promise<Site> => {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    listener(request, response)
  })
  const hungUp = new Promise<void>((resolve) =>
    server.on('connection', (socket) => socket.once('close', () => resolve())),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  return { host, url: `http://${host}`, requests, hungUp, stop }
}

export const request = (given: Partial<OutboundRequest> = {}): OutboundRequest => ({
  signal: new AbortController().signal,
  seconds: 5,
  bytes: 1024,
  accept: 'image/png',
  ...given,
})

/** Why it failed. */
export const reasonOf = async (fetching: Promise<unknown>): Promise<OutboundReason | 'fetched'> =>
  fetching.then(
    () => 'fetched',
    (error: unknown) => (error as OutboundError).reason,
  )
