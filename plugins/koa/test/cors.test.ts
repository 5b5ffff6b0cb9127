/** Web pages of other origins. */

import { expect } from 'chai'
import type { ServerOptionsInput } from '../src/index.js'
import { completeOptions } from '../src/options.js'
import { testKernel } from './support/kernel.js'
import type { TestModel } from './support/kernel.js'
import { speaker, toolbox } from './support/models.js'
import { raw, serverFor, withServer } from './support/server.js'

const page = 'https://app.example.com'
const stranger = 'https://evil.example'
const allowing = (origins: string[], more: ServerOptionsInput = {}) => ({ cors: { origins }, ...more })

const preflight = (origin: string, more: Record<string, string> = {}) => ({
  authorization: '',
  origin,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type,x-stainless-os',
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'cors',
  ...more,
})

const corsHeaders = (answer: Response) =>
  Object.fromEntries([...answer.headers].filter(([name]) => /^(?:access-control|vary)/.test(name)))

describe('web pages of other origins', () => {
  const options = allowing([page, 'HTTP://LocalHost:3000', 'https://b.example:443', 'app://notes'])
  const server = serverFor(() => testKernel([speaker, toolbox]), options)

  const readable = {
    vary: 'Origin',
    'access-control-allow-origin': page,
    'access-control-expose-headers':
      'x-request-id, x-safeguards, retry-after, x-ratelimit-limit-requests, x-ratelimit-remaining-requests, ' +
      'x-ratelimit-reset-requests, x-ratelimit-limit-tokens, x-ratelimit-remaining-tokens, x-ratelimit-reset-tokens',
  }

  it('are told before they ask, without a key, that they may', async () => {
    for (const path of ['/chat/completions', '/v1/responses/resp_1', '/v2/rerank', '/nowhere', '//models']) {
      const answer = await server.send('OPTIONS', path, undefined, preflight(page))
      expect(answer.status).to.equal(204)
      expect(await answer.text()).to.equal('')
      expect(corsHeaders(answer)).to.deep.equal({
        ...readable,
        'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
        'access-control-allow-headers': 'authorization,content-type,x-stainless-os',
        'access-control-max-age': '600',
      })
    }
  })

  const told: readonly [what: string, origin: string][] = [
    ['a name in other letters', 'http://localhost:3000'],
    ['a port that goes without saying', 'https://b.example'],
    ['a scheme of its own', 'app://notes'],
  ]
  for (const [what, origin] of told)
    it(`are known by ${what}`, async () => {
      const answer = await server.send('OPTIONS', '/models', undefined, preflight(origin))
      expect(answer.headers.get('access-control-allow-origin')).to.equal(origin)
    })

  const strangers: readonly [what: string, headers: Record<string, string>][] = [
    ['another origin', preflight(stranger)],
    ['a name that begins as one', preflight(`${page}.evil.example`)],
    ['a name below one', preflight('https://x.app.example.com')],
    ['another scheme', preflight('http://app.example.com')],
    ['another port', preflight(`${page}:8443`)],
    ['none', preflight('null')],
    ['a request that is no preflight', { authorization: '', origin: page }],
  ]
  for (const [what, headers] of strangers)
    it(`are told nothing without a key: ${what}`, async () => {
      const answer = await server.send('OPTIONS', '/v1/models', undefined, headers)
      expect(answer.status).to.equal(401)
      expect(answer.headers.get('vary')).to.equal('Origin')
      expect(answer.headers.get('access-control-allow-methods')).to.equal(null)
    })

  it('hear nothing of headers that are no names, nor of private networks', async () => {
    const odd = preflight(page, {
      'access-control-request-headers': 'a b; c',
      'access-control-request-private-network': 'true',
    })
    const answer = await server.send('OPTIONS', '/models', undefined, odd)
    expect(answer.status).to.equal(204)
    expect(corsHeaders(answer)).to.not.have.any.keys(
      'access-control-allow-headers',
      'access-control-allow-private-network',
      'access-control-allow-credentials',
    )
  })

  const chat = { model: 'speaker', messages: 'hi' }
  const answers: readonly [what: string, status: number, ask: () => Promise<Response>][] = [
    ['an answer', 200, () => server.post('/chat/completions', chat, { origin: page })],
    ['a stream', 200, () => server.post('/v1/chat/completions', { ...chat, stream: true }, { origin: page })],
    ['a refusal', 400, () => server.post('/chat/completions', {}, { origin: page })],
    ['a bad key', 401, () => server.get('/v1/models', { origin: page, authorization: 'Bearer x' })],
    ['an unknown path', 404, () => server.get('/nowhere', { origin: page })],
    ['a wrong method', 405, () => server.send('DELETE', '/models', undefined, { origin: page })],
    ['an open path', 200, () => server.get('/healthz', { origin: page })],
  ]
  for (const [what, status, ask] of answers)
    it(`may read ${what}`, async () => {
      const answer = await ask()
      await answer.text()
      expect(answer.status).to.equal(status)
      expect(corsHeaders(answer)).to.deep.equal(readable)
    })

  it('may read that they ask too much', async () => {
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => (end = resolve))
    const slow: TestModel = {
      id: 'slow',
      services: {
        chat: {
          stream: async function* () {
            yield { delta: 'a' }
            await ended
            yield { finish: 'stop' }
          },
        },
      },
    }
    const options = allowing([page], { limits: { concurrency: 1, queue: 0 } })
    await withServer(await testKernel([slow]), options, async ({ post }) => {
      const first = await post('/chat/completions', { model: 'slow', messages: 'hi', stream: true }, { origin: page })
      const answer = await post('/chat/completions', { model: 'slow', messages: 'hi' }, { origin: page })
      expect(answer.status).to.equal(429)
      expect(corsHeaders(answer)).to.deep.equal(readable)
      end()
      await first.text()
    })
  })

  it('may not read an answer where they are not named', async () => {
    const answer = await server.post('/chat/completions', chat, { origin: stranger })
    expect(answer.status).to.equal(200)
    expect(corsHeaders(answer)).to.deep.equal({ vary: 'Origin' })
    expect(corsHeaders(await server.get('/models'))).to.deep.equal({ vary: 'Origin' })
  })

  it('are all allowed by *, without being named', async () => {
    await withServer(await testKernel([speaker]), allowing(['*']), async ({ send, get }) => {
      for (const origin of [stranger, 'null']) {
        expect((await send('OPTIONS', '/models', undefined, preflight(origin))).status).to.equal(204)
        expect(corsHeaders(await get('/models', { origin }))).to.deep.equal({
          ...readable,
          'access-control-allow-origin': '*',
        })
      }
    })
  })

  it('are not known unless the operator says so', async () => {
    await withServer(await testKernel([speaker]), {}, async ({ send, get }) => {
      const asked = await send('OPTIONS', '/v1/models', undefined, preflight(page))
      expect(asked.status).to.equal(401)
      expect(corsHeaders(asked)).to.deep.equal({})
      expect(corsHeaders(await get('/models', { origin: page }))).to.deep.equal({})
    })
  })

  it('cannot write headers of answers', async () => {
    const { host } = new URL(server.url)
    const head = `OPTIONS /models HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${page}\r\nAccess-Control-Request-Method: POST\r\n`
    const names = 'a,b\u00a0x-bad: 1'
    const received = await raw(
      server.url,
      `${head}Access-Control-Request-Headers: ${names}\r\nConnection: close\r\n\r\n`,
    )
    expect(received).to.match(/^HTTP\/1\.1 204 /)
    expect(received).not.to.match(/x-bad/i)
  })
})

describe('web pages, without authentication', () => {
  const server = serverFor(() => testKernel([speaker]), allowing([page], { auth: false }))

  it('are served where they are named, and no others', async () => {
    const status = async (origin: string) =>
      (await fetch(`${server.url}/models`, { headers: { origin, 'sec-fetch-site': 'cross-site' } })).status
    expect(await status(page)).to.equal(200)
    expect(await status(stranger)).to.equal(403)
    const asked = await fetch(`${server.url}/models`, { method: 'OPTIONS', headers: preflight(page) })
    expect(asked.status).to.equal(204)
    const strange = await fetch(`${server.url}/models`, { method: 'OPTIONS', headers: preflight(stranger) })
    expect(strange.status).to.equal(403)
  })

  it('are refused under a name that resolves to this machine', async () => {
    const head = `GET /models HTTP/1.1\r\nHost: evil.example\r\nOrigin: ${page}\r\nConnection: close\r\n\r\n`
    expect(await raw(server.url, head)).to.match(/^HTTP\/1\.1 403 /)
  })

  it('cannot all be allowed', () => {
    expect(() => completeOptions(allowing(['*'], { auth: false }))).to.throw(
      'cors.origins[0]: must be an origin such as http://localhost:3000, and not *, where auth is false',
    )
  })
})

describe('origins of the configuration', () => {
  for (const origin of ['app.example.com', `${page}/`, 'https://*.example.com', 'https://a@b', `${page}:0`, 'null', ''])
    it(`are not written as ${JSON.stringify(origin)}`, () => {
      expect(() => completeOptions(allowing([origin]))).to.throw('cors.origins[0]: must be an origin such as https://')
    })
  for (const origin of ['http://[::1]:3000', 'chrome-extension://abcdef', 'http://127.0.0.1:65535'])
    it(`may be written as ${origin}`, () => {
      expect(completeOptions(allowing([origin])).cors.origins).to.deep.equal([origin])
    })
})
