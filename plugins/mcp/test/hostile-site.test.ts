import type { ServerResponse } from 'node:http'
import { expect } from 'chai'
import { errorOf } from '@sallyport/stand-ins/errors'
import { later, until } from '@sallyport/stand-ins/promises'
import { errorTrace, failure } from '@sallyport/core'
import type { ErrorCode } from '@sallyport/core'
import { OutboundError } from '@sallyport/outbound'
import { problemOf, serverFailure } from '../src/fault.js'
import { startKernel, stopAll } from './support/kernels.js'
import type { Running } from './support/kernels.js'
import { result, sendJson, startSite } from './support/site.js'
import type { Answer, Site } from './support/site.js'

const start = (site: Site, options: object = {}) =>
  startKernel({ servers: { odd: { url: site.url, timeout: 1, connectTimeout: 2, ...options } } })

const call = ({ tools }: Running, text = 'hello') => tools.call({ server: 'odd', name: 'echo', arguments: { text } })

const events = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' })

const html: Answer = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')
const status =
  (code: number): Answer =>
  (response) =>
    response.writeHead(code, { 'content-type': 'text/html' }).end('<h1>Secret</h1>')
const garbage: Answer = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"half":')
const silence: Answer = () => undefined
const broken: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('{')
  setTimeout(() => response.destroy(), 20)
}
const megabyte = Buffer.alloc(1 << 20, 'x')
/** @returns how many megabytes have been sent so far, of 200 */
const endless = (response: ServerResponse, begin: string): (() => number) => {
  let sent = 0
  const more = () => {
    while (!response.destroyed && sent++ < 200) if (!response.write(megabyte)) return
    response.end()
  }
  response.on('drain', more).write(begin)
  more()
  return () => sent
}

describe('a site that misbehaves', function () {
  this.timeout(60_000)
  afterEach(stopAll)

  for (const [fault, [answer, says]] of Object.entries<[Answer, string]>({
    'a web page': [html, 'does not speak the protocol over HTTP'],
    '500': [status(500), 'answered with the status 500'],
    '401': [status(401), 'answered with the status 401: check its authorization'],
    '404, and no SSE either': [status(404), 'answered with the status 404'],
    'what is no JSON': [garbage, 'does not speak the protocol'],
    'a batch of messages': [(response) => sendJson(response, [1, 2]), 'answered with a batch of messages'],
    'an error of its own': [
      (response, { id }) => sendJson(response, { jsonrpc: '2.0', id, error: { code: -32_000, message: 'no licence' } }),
      'answered with the error -32000',
    ],
    nothing: [silence, 'did not answer within 2 seconds'],
    'half of an answer': [broken, 'broke off in the middle of its response'],
    'a redirect to elsewhere': [
      (response) => response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
      'redirects to an address that is not allowed, more than 3 times, or so that a POST becomes a GET',
    ],
    'a redirect that turns a POST into a GET': [
      (response) => response.writeHead(301, { location: '/mcp/' }).end(),
      'redirects to an address that is not allowed, more than 3 times, or so that a POST becomes a GET',
    ],
    'an answer that is compressed': [
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(),
      'sent a compressed response',
    ],
  }))
    it(`is left out of listings, and its calls fail: ${fault}`, async () => {
      const site = await startSite({ initialize: answer, GET: status(404) })
      const running = await start(site)
      expect((await running.tools.list({})).servers).to.deep.equal([])
      const { message } = await errorOf(call(running), 'upstream_failed')
      expect(message).to.contain(`the tool server odd ${says}`).and.not.contain('Secret')
    })

  for (const [fault, [answer, code, says]] of Object.entries<[Answer, ErrorCode, string]>({
    'a web page': [html, 'upstream_failed', 'does not speak the protocol over HTTP'],
    '503': [status(503), 'upstream_failed', 'answered with the status 503'],
    'what is no JSON': [garbage, 'upstream_failed', 'does not speak the protocol'],
    'half of an answer': [broken, 'upstream_failed', 'broke off'],
    'a reset': [(response) => response.destroy(), 'upstream_failed', 'cannot be reached'],
    'an answer to another request': [
      (response) => sendJson(response, { jsonrpc: '2.0', id: 12_345, result: {} }),
      'upstream_failed',
      'ended its response without a result',
    ],
    'no events': [(response) => events(response).end(), 'upstream_failed', 'ended its response without a result'],
    'events that are none': [
      (response) => events(response).end('data: {"half":\n\ndata: 42\n\n'),
      'upstream_failed',
      'ended its response without a result',
    ],
    'a break in events': [
      (response) => {
        events(response).write(': hello\n\n')
        setTimeout(() => response.destroy(), 20)
      },
      'upstream_failed',
      'broke off',
    ],
    nothing: [silence, 'deadline_exceeded', '1 s'],
    'a drip of events': [
      (response) => {
        const drip = setInterval(() => response.write('data: x\n'), 20)
        events(response).on('close', () => clearInterval(drip))
      },
      'deadline_exceeded',
      '1 s',
    ],
  }))
    it(`fails the call and nothing else: ${fault}`, async () => {
      const site = await startSite()
      const running = await start(site, { timeout: says === '1 s' ? 1 : 20 })
      await running.tools.list({})
      site.answers['tools/call'] = (response, asked) =>
        asked.params.arguments?.text === 'good' ? result(response, asked, { content: [] }) : answer(response, asked)
      const { message } = await errorOf(call(running), code)
      expect(message).to.contain(says)
      await until(async () => (await site.connections()) === 0)
      await until(async () => (await call(running, 'good').catch(() => undefined)) !== undefined)
    })

  for (const [what, begin, type] of [
    ['JSON', '{"x":"', 'application/json'],
    ['an event', 'data: ', 'text/event-stream'],
  ] as const)
    it(`fails the call with a message that is too large, which is not read to its end: ${what}`, async () => {
      let sent = () => 0
      const site = await startSite({
        'tools/call': (response) => {
          sent = endless(response.writeHead(200, { 'content-type': type }), begin)
        },
      })
      const { message } = await errorOf(call(await start(site, { timeout: 20 })), 'upstream_failed')
      expect(message).to.contain('sent a message that is too large')
      await until(async () => (await site.connections()) === 0)
      // the 8 that are read, and what the system has in its buffers
      expect(sent()).to.be.within(8, 64)
    })

  it('may send progress and other messages with its answer', async () => {
    const site = await startSite({
      'tools/call': (response, asked) => {
        const send = (message: object) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
        events(response)
        for (let count = 0; count < 20_000; count++)
          send({ method: 'notifications/progress', params: { progressToken: asked.id, progress: count } })
        send({ id: 'ours', method: 'sampling/createMessage', params: {} })
        send({ id: asked.id, result: { content: [{ type: 'text', text: 'done' }] } })
        response.end()
      },
    })
    expect(await call(await start(site, { timeout: 20 }))).to.deep.equal({ output: 'done' })
    await until(() => site.asked.some((asked) => 'error' in asked))
  })

  it('has its fault in the log, without a word of its own', () => {
    const failed = serverFailure('odd', new OutboundError('encoding', 'the answer is compressed'))
    expect(errorTrace(failed).cause?.message).to.equal('encoding: the answer is compressed')
  })

  it('may ping with the id of a call that runs', async () => {
    const site = await startSite({
      'tools/call': async (response, { id }) => {
        const send = (message: object) =>
          response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n\n`)
        events(response)
        send({ method: 'ping' })
        await until(() => site.asked.some((asked) => asked.id === id && 'result' in asked))
        // Our response is answered in the meantime.
        await later(undefined, 100)
        send({ result: { content: [{ type: 'text', text: 'done' }] } })
        response.end()
      },
    })
    expect(await call(await start(site, { timeout: 20 }))).to.deep.equal({ output: 'done' })
  })

  it('has its answer taken up again where it allows that', async () => {
    const site = await startSite({
      'tools/call': (response) => events(response).end('id: 1\nretry: 10\ndata: \n\n'),
      GET: (response, { request }) => {
        const id = site.asked.find(({ method }) => method === 'tools/call')?.id
        if (request.headers['last-event-id'] !== '1') response.writeHead(405).end()
        else
          events(response).end(
            `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'resumed' }] } })}\n\n`,
          )
      },
    })
    expect(await call(await start(site, { timeout: 20 }))).to.deep.equal({ output: 'resumed' })
  })

  it('is told of a call that is given up, and read no further', async () => {
    const site = await startSite({
      'tools/call': (response, { params }) => {
        if (params.arguments?.text === 'later') events(response).end('id: 2\nretry: 10\ndata: \n\n')
        else events(response).write('id: 1\nretry: 10\ndata: \n\n')
      },
      GET: (response, { request }) => {
        const id = site.asked.findLast(({ method }) => method === 'tools/call')?.id
        if (request.headers['last-event-id'] !== '2') response.writeHead(405).end()
        else events(response).end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } })}\n\n`)
      },
    })
    const running = await start(site, { timeout: 20 })
    await running.tools.list({})
    const caller = new AbortController()
    const asked = running.tools.call({ server: 'odd', name: 'echo', arguments: {} }, { signal: caller.signal })
    await until(() => site.asked.some(({ method }) => method === 'tools/call'))
    caller.abort(new Error('left'))
    expect(await asked.catch((error: unknown) => error)).to.have.property('message', 'left')
    await until(() => site.asked.some(({ method }) => method === 'notifications/cancelled'))
    const { id } = site.asked.find(({ method }) => method === 'tools/call')!
    expect(site.asked.find(({ method }) => method === 'notifications/cancelled')?.params.requestId).to.equal(id)
    await until(async () => (await site.connections()) === 0)
    // by the time at which the library has asked for the rest of a later answer, it would have for that of the earlier
    expect(await call(running, 'later')).to.deep.equal({ output: '' })
    const resumed = site.asked.map(({ request }) => request.headers['last-event-id']).filter(Boolean)
    expect(resumed).to.deep.equal(['2'])
  })

  it('is asked for a new session when the old one has ended, and the list again', async () => {
    let session = 'first'
    const initialize: Answer = (response, asked) => {
      response.setHeader('mcp-session-id', session)
      const capabilities = { tools: {} }
      result(response, asked, { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 'a', version: '1' } })
    }
    const ended =
      (then: Answer): Answer =>
      (response, asked) =>
        asked.request.headers['mcp-session-id'] === session ? then(response, asked) : response.writeHead(404).end()
    const site = await startSite({
      initialize,
      'tools/call': ended((response, asked) => result(response, asked, { content: [{ type: 'text', text: session }] })),
    })
    const running = await start(site)
    expect(await call(running)).to.deep.equal({ output: 'first' })
    session = 'second'
    expect((await errorOf(call(running), 'upstream_failed')).message).to.contain('has ended the session')
    expect((await running.tools.list({})).servers).to.have.length(1)
    expect(await call(running)).to.deep.equal({ output: 'second' })
    expect(site.asked.filter(({ method }) => method === 'tools/call')).to.have.length(3)
    await running.kernel.stop()
    expect(site.asked.filter(({ method }) => method === 'DELETE')).to.have.length(1)
  })

  it('is reached when it comes, and again when it comes back', async () => {
    const first = await startSite()
    const port = Number(first.host.split(':')[1])
    await first.stop()
    const running = await start(first)
    const { message } = await errorOf(call(running), 'upstream_failed')
    expect(message).to.contain('cannot be reached')
    const second = await startSite({}, port)
    await until(async () => (await running.tools.list({})).servers.length === 1)
    await second.stop()
    await errorOf(call(running), 'upstream_failed')
    await startSite({}, port)
    await until(async () => (await call(running).catch(() => undefined)) !== undefined)
  })

  it('is described after its name where this side was overloaded', () => {
    const error = failure('overloaded', { problem: 'too many schemas wait' })
    expect(problemOf(error)).to.equal(`cannot be used now: ${error.message}`)
  })

  it('gets headers and authorization that the configuration has for it', async () => {
    const site = await startSite()
    await (await start(site, { headers: { 'X-Team': 'blue' }, authorization: 'secret' })).tools.list({})
    for (const { request } of site.asked)
      expect(request.headers).to.include({ 'x-team': 'blue', authorization: 'Bearer secret' })
  })
})
