/** What happens on the wire, below requests and answers. */

import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { testKernel } from './support/kernel.js'
import { speaker } from './support/models.js'
import { openRaw, raw, serverFor, startServer } from './support/server.js'

const body = JSON.stringify({ model: 'speaker', messages: 'hi' })

describe('transport', () => {
  const server = serverFor(() => testKernel([speaker]), { timeouts: { headers: 0.4, body: 0.3 } })

  const post = (head: string, text = body, path = '/chat/completions') =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${server.key}\r\n${head}\r\n${text}`
  const whole = () => post(`Content-Length: ${body.length}\r\n`)

  const malformed = 'this is not valid HTTP/1.1'
  const smuggled: readonly [string, string, number, string][] = [
    ['no HTTP at all', 'HELLO\r\n\r\n', 400, malformed],
    ['HTTP/0.9', 'GET /\r\n\r\n', 400, malformed],
    ['two lengths', 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', 400, malformed],
    [
      'a length and an encoding',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      malformed,
    ],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n', 400, malformed],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n', 400, malformed],
    [
      'large headers',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'the headers are too large',
    ],
    [
      'two hosts',
      'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
      400,
      'there must be exactly one Host header',
    ],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'there must be exactly one Host header'],
  ]
  for (const [what, request, status, message] of smuggled)
    it(`refuses ${what}`, async () => {
      const answer = await raw(server.url, request)
      expect(answer).to.match(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(answer)
        .to.match(/\r\nconnection: close\r\n/i)
        .and.to.match(/\r\nx-request-id: /i)
      expect(answer.split('\r\n\r\n')[1]).to.equal(JSON.stringify({ error: message }))
    })

  it('answers what it cannot read in the dialect of the path', async () => {
    const answer = await raw(server.url, 'GET /v1/models HTTP/1.1\r\nHost : a\r\n\r\n')
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).to.have.nested.property('error.message', malformed)
  })

  it('reads chunked bodies, one byte at a time too', async () => {
    const chunks = Array.from(body)
      .map((character) => `1\r\n${character}\r\n`)
      .join('')
    const answer = await raw(
      server.url,
      post('Transfer-Encoding: chunked\r\nConnection: close\r\n', `${chunks}0\r\n\r\n`),
    )
    expect(answer).to.match(/^HTTP\/1\.1 200 /)
  })

  it('stops reading a chunked body at the limit', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const answer = await raw(server.url, post('Transfer-Encoding: chunked\r\n', `${chunk.repeat(80)}0\r\n\r\n`))
    expect(answer)
      .to.match(/^HTTP\/1\.1 413 /)
      .and.to.match(/connection: close/i)
  })

  it('does not unpack a compressed bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024)).toString('latin1')
    const head = `Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n`
    expect(await raw(server.url, post(head, bomb))).to.match(/^HTTP\/1\.1 415 /)
  })

  it('answers 408 when the head comes too slowly', async () => {
    const connection = await openRaw(server.url)
    connection.write('GET / HTTP/1.1\r\nHost: a\r\n')
    const answer = await connection.until()
    expect(answer).to.match(/^HTTP\/1\.1 408 /)
    expect(answer.split('\r\n\r\n')[1]).to.match(/^\{"error":"the request did not arrive in time/)
  }).timeout(5000)

  it('closes a connection that says nothing', async () => {
    const connection = await openRaw(server.url)
    await connection.until()
  }).timeout(5000)

  it('answers 408 when the body comes too slowly, and closes', async () => {
    const connection = await openRaw(server.url)
    connection.write(post('Content-Length: 100\r\n', '{"model":'))
    const answer = await connection.until()
    expect(answer)
      .to.match(/^HTTP\/1\.1 408 /)
      .and.to.match(/connection: close/i)
    expect(answer).to.contain('{"error":"the request did not arrive in time: send it faster or in smaller parts"}')
  }).timeout(6000)

  it('keeps a connection for the next request after small mistakes', async () => {
    const connection = await openRaw(server.url)
    connection.write(post('Content-Length: 2\r\n', '{}'))
    await connection.until('is required')
    connection.write(`POST /chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}`)
    await connection.until('authentication failed')
    connection.write(whole())
    expect(await connection.until('Hello world')).to.contain('HTTP/1.1 200 OK')
    connection.socket.destroy()
  })

  it('answers requests that are sent together, in order', async () => {
    const connection = await openRaw(server.url)
    connection.write(whole() + post('Content-Length: 2\r\n', '{}') + whole())
    await connection.until('is required')
    const answer = await connection.until('Hello world')
    expect(answer.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(
      ['HTTP/1.1 200', 'HTTP/1.1 400', 'HTTP/1.1 200'].slice(0, answer.match(/HTTP\/1\.1 \d+/g)!.length),
    )
    connection.socket.destroy()
  })

  it('ignores the body of a GET, and its type', async () => {
    for (const [text, type] of [
      ['null', 'application/json'],
      ['{"a":', 'text/plain'],
    ] as const) {
      const connection = await openRaw(server.url)
      const head = `Host: localhost\r\nx-api-key: ${server.key}\r\nContent-Type: ${type}\r\nContent-Length: ${text.length}\r\n`
      connection.write(`GET /completions HTTP/1.1\r\n${head}\r\n${text}`)
      await connection.until('["speaker"]')
      connection.write(`GET / HTTP/1.1\r\n${head}\r\n${text}`)
      expect(await connection.until('Sallyport is running.')).to.contain('HTTP/1.1 200 OK')
      connection.socket.destroy()
    }
  })

  it('answers HEAD like GET, without the body', async () => {
    const answer = await server.send('HEAD', '/models')
    expect(answer.status).to.equal(200)
    expect(Number(answer.headers.get('content-length'))).to.be.above(100)
    expect(await answer.text()).to.equal('')
  })

  it('ignores what it need not expect, and continues where it is asked to', async () => {
    const odd = await raw(
      server.url,
      'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: nothing\r\nConnection: close\r\n\r\n',
    )
    expect(odd).to.match(/^HTTP\/1\.1 200 /)
    const connection = await openRaw(server.url)
    connection.write(post(`Content-Length: ${body.length}\r\nExpect: 100-continue\r\n`, ''))
    await connection.until('100 Continue')
    connection.write(body)
    expect(await connection.until('Hello world')).to.contain('200 OK')
    connection.socket.destroy()
  })

  it('serves an absolute target as its path', async () => {
    const answer = await raw(
      server.url,
      'GET http://localhost/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    )
    expect(answer).to.match(/^HTTP\/1\.1 200 /)
  })

  it('answers a target that is no URL like any other that it does not know', async () => {
    const request = 'GET http://[::1/models HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
    expect(await raw(server.url, request)).to.match(/^HTTP\/1\.1 (400|403|404) /)
  })

  it('refuses a length beyond all measure at once', async function () {
    this.timeout(10_000)
    const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.key}\r\n`
    const request = `${head}Content-Type: application/json\r\nContent-Length: 1000000000000\r\n\r\n{`
    expect(await raw(server.url, request)).to.match(/^HTTP\/1\.1 413 /)
  })

  it('reads four megabytes of digits without a pause', async () => {
    const digits = `${'1'.repeat(299)},`.repeat(13_000)
    const started = performance.now()
    const response = await server.post('/v1/embeddings', `{"model":"m","input":[${digits}1]}`)
    expect(response.status).to.be.within(400, 499)
    expect(performance.now() - started).to.be.below(2000)
  })

  it('returns the request id that it was given, when that is one', async () => {
    const returned = async (id: string) =>
      (await server.get('/models', { 'x-request-id': id })).headers.get('x-request-id')
    const ids = [
      ...['my-id_1-2', 'x'.repeat(64), 'req_20261122', '550e8400-e29b-41d4-a716-446655440000'],
      ...['01ARZ3NDEKTSV4RRFFQ69G5FAV', '00f067aa0ba902b7', '4bf92f3577b34da6a3ce929d0e0e4736'],
      '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    ]
    for (const id of ids) expect(await returned(id)).to.equal(id)
    const texts = ['two words', 'x'.repeat(65), '<script>', 'jane.miller', 'jane@example.org', '192.0.2.1', '+44-20']
    const numbers = ['4111111111111111', 'card-4111-1111-1111-1111', 'ssn_078-05-1120', 'x'.repeat(50) + '123456789']
    for (const id of [...texts, ...numbers])
      expect(await returned(id), id).to.match(/^[\da-f]{8}(?:-[\da-f]{4,12}){4}$/)
  })

  it('bounds the connections of an address', async () => {
    const bounded = await startServer(await testKernel([speaker]), { limits: { connectionsPerAddress: 2 } })
    try {
      const open = [await openRaw(bounded.url), await openRaw(bounded.url)]
      const third = await openRaw(bounded.url)
      await third.until()
      for (const { socket } of open) socket.destroy()
      // until the server has seen the ends of those
      let answer = ''
      while (!answer) answer = await raw(bounded.url, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
      expect(answer).to.contain('200 OK')
    } finally {
      await bounded.stop()
    }
  })
})
