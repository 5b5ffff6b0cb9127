import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { until } from '@sallyport/stand-ins/promises'
import { expect } from 'chai'
import { verifyLog } from '../../src/audit/verify.js'
import { signerOf } from '../../src/audit/signature.js'
import { handler } from '../../src/index.js'
import type { ServerOptionsInput } from '../../src/options.js'
import { fileOf, postForm } from '../support/forms.js'
import { testKernel } from '../support/kernel.js'
import type { TestModel } from '../support/kernel.js'
import { play, player, speaker, toolbox } from '../support/models.js'
import { startServer } from '../support/server.js'
import type { TestServer } from '../support/server.js'
import { linesIn, useDirectory } from './support.js'
import type { Line } from './support.js'

const rude = player('rude', [{ delta: 'Ann is here. ' }, { delta: 'Mail a@b.de.' }, { finish: 'stop' }])

const reader: TestModel = { id: 'reader', services: { transcription: { stream: () => play([], {} as never) } } }

/** Says a word each 10 ms, until it is told to stop. */
const endless: TestModel = {
  id: 'endless',
  services: {
    chat: {
      stream: async function* (_, { signal }) {
        for (;;) {
          signal.throwIfAborted()
          yield { delta: 'word ' }
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
      },
    },
  },
}

/** Fails after its first word. */
const failing: TestModel = {
  id: 'failing',
  services: {
    chat: {
      stream: async function* () {
        yield { delta: 'word ' }
        await Promise.resolve()
        throw new Error('something broke, says Ann')
      },
    },
  },
}

const policies = {
  personal: { input: { pii: { action: 'replace' } }, output: { pii: { action: 'block' } } },
  watched: { input: { pii: { action: 'block', mode: 'shadow' } } },
} as const

describe('the audit log of requests', () => {
  const directory = useDirectory()
  let server: TestServer

  const start = async (options: ServerOptionsInput = {}) => {
    const kernel = await testKernel([speaker, rude, reader, endless, failing, toolbox], { policies })
    server = await startServer(kernel, { audit: {}, ...options }, undefined, directory.path)
  }
  afterEach(() => server.stop())

  const path = () => join(directory.path, 'audit')
  const requests = (): readonly Line[] =>
    linesIn(path()).filter(({ kind }) => ['admitted', 'ended', 'refused'].includes(kind))
  const chat = (body: object, headers?: Record<string, string>) =>
    server.post('/v1/chat/completions', { model: 'speaker', messages: 'hi', ...body }, headers)
  const read = async (answer: Promise<Response>) => (await answer).text()

  it('has who asked for what, and how it ended', async () => {
    await start({ policies: { '/chat/completions': 'watched' } })
    const [{ id } = { id: '' }] = server.keys.list()
    await read(chat({}, { 'x-request-id': 'r1' }))
    const [admitted, ended] = requests()
    const common = {
      request: 'r1',
      who: { key: id, name: 'test' },
      address: '127.0.0.1',
      method: 'POST',
      route: '/v1/chat/completions',
      model: 'speaker',
      policies: ['watched'],
    }
    expect(admitted).to.deep.include({ kind: 'admitted', ...common })
    expect(ended).to.deep.include({
      kind: 'ended',
      admitted: admitted?.seq,
      ...common,
      status: 200,
      done: 'passed',
      verdicts: [{ check: 'pii', stage: 'input', policy: 'watched', verdict: 'pass', mode: 'shadow' }],
      tokens: { in: 5, out: 3 },
    })
    expect(ended?.['ms']).to.be.a('number')
    expect(Date.parse(String(ended?.['time']))).to.be.closeTo(Date.now(), 60_000)
  })

  const outcomes: Readonly<
    Record<string, readonly [ask: () => Promise<Response>, ended: object, options?: ServerOptionsInput]>
  > = {
    'a stream': [() => chat({ stream: true }), { status: 200, done: 'passed' }],
    'a stream of named events': [
      () => server.post('/v1/responses', { model: 'speaker', input: 'hi', stream: true }),
      { status: 200, done: 'passed', route: '/v1/responses' },
    ],
    'a listing': [() => server.get('/v1/models'), { status: 200, done: 'passed', method: 'GET', route: '/v1/models' }],
    'an unknown model': [
      () => chat({ model: 'nobody' }),
      { status: 404, code: 'model_not_found', done: 'failed', route: '/v1/chat/completions' },
    ],
    'a body that is not valid': [() => chat({ messages: 1 }), { status: 400, code: 'invalid_request', done: 'failed' }],
    'a model that fails': [() => chat({ model: 'failing' }), { status: 500, code: 'internal', done: 'failed' }],
    'a model that fails in the middle of a stream': [
      () => chat({ model: 'failing', stream: true }),
      { status: 200, code: 'internal', done: 'failed' },
    ],
    'what was replaced': [
      () => chat({ messages: 'Ann and a@b.de' }),
      {
        done: 'replaced',
        verdicts: [
          {
            ...{ check: 'pii', stage: 'input', policy: 'personal', verdict: 'replace', mode: 'enforce' },
            findings: { PERSON: 1, EMAIL_ADDRESS: 1 },
          },
          { check: 'pii', stage: 'output', policy: 'personal', verdict: 'pass', mode: 'enforce' },
        ],
      },
      { policies: { '/chat/completions': 'personal' } },
    ],
    'what was blocked': [
      () => chat({ model: 'rude' }),
      { status: 400, code: 'content_blocked', done: 'blocked' },
      { policies: { '/chat/completions': 'personal' } },
    ],
    'a stream that was blocked': [
      () => chat({ model: 'rude', stream: true }),
      { code: 'content_blocked', done: 'blocked' },
      { policies: { '/chat/completions': 'personal' } },
    ],
    'what would have been blocked': [
      () => chat({ messages: 'Ann' }),
      {
        done: 'passed',
        verdicts: [
          {
            ...{ check: 'pii', stage: 'input', policy: 'watched', verdict: 'block', mode: 'shadow' },
            findings: { PERSON: 1 },
          },
        ],
      },
      { policies: { '/chat/completions': 'watched' } },
    ],
    'a request without keys': [
      () => chat({}),
      { who: 'anonymous', done: 'passed' },
      { auth: false, allowedHosts: ['*'] },
    ],
  }
  for (const [what, [ask, ended, options]] of Object.entries(outcomes))
    it(`has both lines of ${what} before its last byte`, async () => {
      await start(options)
      await read(ask())
      const lines = requests()
      expect(lines.map(({ kind }) => kind)).to.deep.equal(['admitted', 'ended'])
      expect(lines[1]).to.deep.include({ ...ended, admitted: lines[0]?.seq })
    })

  const refusals: Readonly<Record<string, readonly [ask: () => Promise<Response>, refused: object]>> = {
    'a wrong key': [
      () => chat({}, { authorization: 'Bearer sp-wrong' }),
      { who: 'unauthenticated', status: 401, code: 'unauthenticated', route: '/v1/chat/completions' },
    ],
    'no route and no key': [
      () => fetch(`${server.url}/nowhere`),
      { who: 'unauthenticated', status: 403, code: 'unauthenticated', route: 'none' },
    ],
    'no route': [() => server.get('/nowhere'), { status: 404, code: 'route_not_found', route: 'none' }],
    'a body that is no JSON': [
      () => server.post('/v1/chat/completions', '{'),
      { status: 400, code: 'invalid_json', route: '/v1/chat/completions' },
    ],
    'a form that is none': [
      () => server.post('/v1/audio/transcriptions', 'x'),
      { status: 415, code: 'unsupported_media', route: '/v1/audio/transcriptions' },
    ],
  }
  for (const [what, [ask, refused]] of Object.entries(refusals))
    it(`has one line of a request that is never admitted: ${what}`, async () => {
      await start()
      await read(ask())
      const lines = requests()
      expect(lines.map(({ kind }) => kind)).to.deep.equal(['refused'])
      expect(lines[0]).to.deep.include(refused)
    })

  it('has nothing of routes that need no key', async () => {
    await start()
    for (const open of ['/', '/healthz', '/readyz', '/openapi.json']) await read(server.get(open))
    expect(requests()).to.deep.equal([])
  })

  it('has a form with its file', async () => {
    await start()
    const answer = await postForm(server, '/v1/audio/transcriptions', { model: 'reader', file: fileOf('x') })
    await answer.text()
    expect(requests().map(({ kind, model }) => [kind, model])).to.deep.equal([
      ['admitted', 'reader'],
      ['ended', 'reader'],
    ])
  })

  it('says when the client left', async () => {
    await start()
    const body = JSON.stringify({ model: 'endless', messages: 'hi', stream: true })
    const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' }
    await new Promise<void>((resolve) => {
      const asked = request(`${server.url}/v1/chat/completions`, { method: 'POST', headers }, (answer) => {
        answer.once('data', () => asked.destroy())
        answer.on('error', () => undefined)
        answer.once('close', resolve)
      })
      asked.on('error', () => undefined).end(body)
    })
    await until(() => requests().length === 2)
    expect(requests()[1]).to.include({ kind: 'ended', code: 'client_closed', status: 499, done: 'aborted' })
  })

  it('ends what still runs when the server stops, and is signed', async () => {
    await start()
    const answer = await chat({ model: 'endless', stream: true })
    await server.http.stop()
    await answer.text().catch(() => undefined)
    const lines = linesIn(path())
    expect(lines.map(({ kind }) => kind)).to.deep.equal(['opened', 'head', 'admitted', 'ended', 'head'])
    const { last } = await verifyLog(path(), { publicKey: signerOf(server.keys).publicKey })
    expect(last).to.equal(5)
  })

  it('has no word of what was asked or answered, and no key', async () => {
    await start({ policies: { '/chat/completions': 'personal' } })
    const canary = 'zebulon-quark'
    const mail = `${canary}@corvid.org`.replace('-', '')
    const asks: readonly (() => Promise<Response>)[] = [
      () => chat({ messages: `${canary} ${mail}` }),
      () => chat({ messages: canary, stream: true }),
      () => chat({ model: canary }),
      () => chat({ user: canary, metadata: { canary } }),
      () => chat({ [canary]: canary }),
      () => chat({}, { authorization: `Bearer ${canary}` }),
      () => chat({}, { 'x-request-id': mail, 'user-agent': canary }),
      () => server.get(`/${canary}?${canary}`),
      () => server.get(`/v1/responses/${canary}`),
      () => server.post('/v1/chat/completions', canary),
      () => server.post('/v1/embeddings', { model: 'toolbox', input: canary }),
      () => chat({ model: 'rude' }),
      () => chat({ model: 'failing' }),
    ]
    for (const ask of asks) await read(ask())
    await server.http.stop()
    const written = JSON.stringify(linesIn(path()))
    expect(requests().length).to.be.at.least(asks.length)
    for (const text of [canary, mail, 'corvid', 'Ann', 'a@b.de', 'Hello', server.key])
      expect(written).not.to.contain(text)
  })

  it('is kept for a program that mounts the server elsewhere, and needs a state directory there', async () => {
    await start()
    const kernel = await testKernel([speaker])
    const mounted = join(directory.path, 'mounted')
    const app = createServer(handler(kernel, { home: server.home, audit: { path: mounted } }))
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
    const { port } = app.address() as AddressInfo
    const headers = { authorization: `Bearer ${server.key}` }
    await (await fetch(`http://127.0.0.1:${port}/v1/models`, { headers })).text()
    app.close()
    expect(linesIn(mounted).map(({ kind }) => kind)).to.deep.equal(['opened', 'head', 'admitted', 'ended'])
    const keys = { authenticate: () => ({ tenant: 't' }) }
    expect(() => handler(kernel, { keys, audit: {} })).to.throw('audit: needs a state directory, whose secret signs')
  })

  it('fails the start where another server has it', async () => {
    await start()
    const again = await startServer(await testKernel([speaker]), { audit: {} }, undefined, directory.path).catch(
      (error: unknown) => error,
    )
    expect(again).to.have.property('code', 'config_invalid')
    expect(again).to.have.property('message').that.contains('another server writes its audit log here')
  })
})
