import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { RawClient } from '../bench/adapter/raw-client.js'

const request = { path: '/chat', headers: { 'x-key': 'k' }, body: '{"text":"é"}' }

describe('raw client of the benchmark', () => {
  let server: Server | undefined

  const serve = async (listener: RequestListener): Promise<RawClient> => {
    server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new RawClient(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), request)
  }

  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })

  it('sends what it was given, over connections that it keeps', async () => {
    const sockets = new Set<Socket>()
    const seen: unknown[] = []
    const client = await serve((incoming, response) => {
      sockets.add(incoming.socket)
      void text(incoming).then((body) => {
        seen.push([incoming.url, incoming.headers['x-key'], body])
        response.end('é'.repeat(100_000))
      })
    })
    await client.send()
    await client.send()
    await Promise.all([client.send(), client.send()])
    client.close()
    expect(seen).to.deep.equal(Array.from({ length: 4 }, () => ['/chat', 'k', request.body]))
    expect(sockets.size).to.equal(2)
  })

  it('takes no other answer for a good one', async () => {
    const client = await serve((_incoming, response) => response.writeHead(429).end('busy'))
    const error: unknown = await client.send().catch((reason: unknown) => reason)
    expect(error).to.be.an('error').with.property('message').that.includes('429')
  })
})
