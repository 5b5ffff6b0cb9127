import { failure } from '@sallyport/core'
import { recordingLogger } from '@sallyport/testing'
import { expect } from 'chai'
import { createApp } from '../src/index.js'
import { startingKernel, testKernel } from './support/kernel.js'
import { player, speaker } from './support/models.js'
import { withServer } from './support/server.js'

const canary = 'canary-4111111111111111'

const broken = {
  id: 'broken',
  services: {
    chat: {
      stream: async function* () {
        await Promise.resolve()
        throw new Error('boom in /usr/lib/libllama.so')
      },
    },
  },
}

describe('logs', () => {
  it('say who asked for what, when, and how it went, and nothing that was said', async () => {
    const { lines, logger } = recordingLogger()
    const kernel = await testKernel([speaker, player('p', [{ delta: canary }, { finish: 'stop' }])])
    await withServer(
      kernel,
      {},
      async ({ post, get, send }) => {
        await post('/chat/completions', { model: 'p', messages: canary }, { 'x-request-id': 'r1' })
        await post('/chat/completions', { model: canary, messages: canary })
        await post('/chat/completions', { model: 'p', messages: canary, [canary]: 1, stop: { [canary]: canary } })
        await post('/chat/completions', `{"${canary}": ${canary}}`)
        await post('/chat/completions', { model: 'p', messages: 'hi', saveguards: canary }, { 'x-canary': canary })
        await get(`/nowhere?${canary}`)
        await get(`/models/${canary}`)
        await send('DELETE', `/v1${'/x'.repeat(200)}`)
        await post('/v1/chat/completions', { model: 'p', messages: canary })
        await get('/v1/jane@acme.com/sk-proj-Zr4tQ81x/chat/complettions')
      },
      logger,
    )
    expect(JSON.stringify(lines)).not.to.contain('canary')
    const { fields } = lines.find((line) => line.fields['requestId'] === 'r1')!
    expect(fields).to.include({ method: 'POST', route: '/chat/completions', status: 200, model: 'p' })
    expect(fields['tenant']).to.match(/^[\da-f-]{36}$/)
    const requests = lines.filter(({ message }) => message === 'request').map((line) => line.fields)
    expect(requests).to.have.length(10)
    expect(requests[5], 'a path that leads nowhere').to.include({ route: 'none', path: '/…', status: 404 })
    expect(requests[6]?.['route']).to.match(/^\/models\//)
    expect(requests[6]).not.to.have.property('path')
    expect(requests[7]?.['path'], 'a long one').to.equal(`/v1${'/…'.repeat(10)}`)
    expect(requests[8]).to.include({ route: '/v1/chat/completions' }).and.not.have.property('path')
    expect(requests[9]?.['path'], 'what may be data').to.equal('/v1/…/…/chat/complettions')
  })

  it('keep the cause of a failure under the request id, and the client gets none of it', async () => {
    const { lines, logger } = recordingLogger()
    await withServer(
      await testKernel([broken]),
      {},
      async ({ post }) => {
        const answer = await post('/chat/completions', { model: 'broken', messages: 'hi' }, { 'x-request-id': 'r2' })
        expect(answer.status).to.equal(500)
        expect(await answer.json()).to.deep.equal({
          error: 'something went wrong on the server; the log has the details under request r2',
        })
      },
      logger,
    )
    const line = lines.find(({ level }) => level === 'error')!
    expect(line.fields).to.include({ requestId: 'r2', status: 500, code: 'internal' })
    expect(line.fields['err']).to.include({ type: 'Error' }).and.not.have.property('message')
    expect(line.fields['err'])
      .to.have.property('stack')
      .that.matches(/^Error\n {4}at .*logs\.test/)
  })

  const refusing = (id: string, error: Error) => ({
    id,
    services: {
      chat: {
        stream: async function* () {
          await Promise.resolve()
          throw error
        },
      },
    },
  })

  it('take what passes by itself for no error, and show no stack of it', async () => {
    const { lines, logger } = recordingLogger()
    const models = [
      refusing('not_ready', failure('not_ready', { state: 'loading' })),
      refusing('overloaded', failure('overloaded', {})),
      refusing('safeguard_unavailable', failure('safeguard_unavailable', { name: 'pii' })),
      refusing('model_unavailable', failure('model_unavailable', { model: 'm', problem: 'it restarts' })),
      refusing('deadline_exceeded', failure('deadline_exceeded', {})),
    ]
    await withServer(
      await testKernel(models),
      {},
      async ({ post }) => {
        for (const { id } of models) await post('/chat/completions', { model: id, messages: 'hi' })
      },
      logger,
    )
    const refused = lines.filter(({ fields }) => 'code' in fields)
    expect(refused.map(({ fields }) => fields['code'])).to.deep.equal(models.map(({ id }) => id))
    for (const { level, fields } of refused) {
      expect(level).to.equal('warn')
      expect(fields).not.to.have.property('err')
      expect(fields['problem']).to.be.a('string')
    }
  })

  it('take a failing server behind a model for an error', async () => {
    const { lines, logger } = recordingLogger()
    const upstream = refusing('m', failure('upstream_failed', { model: 'm', problem: 'it answered 500' }))
    await withServer(
      await testKernel([upstream]),
      {},
      async ({ post }) => {
        expect((await post('/chat/completions', { model: 'm', messages: 'hi' })).status).to.equal(503)
      },
      logger,
    )
    expect(lines.find(({ fields }) => fields['code'] === 'upstream_failed')).to.have.property('level', 'error')
  })

  it('are not filled by load balancers that ask whether models are ready', async () => {
    const { lines, logger } = recordingLogger()
    const { kernel, finish } = await startingKernel()
    await withServer(
      kernel,
      {},
      async ({ get }) => {
        for (const path of ['/readyz', '/readiness']) expect((await get(path)).status).to.equal(503)
      },
      logger,
    )
    await finish()
    const asked = lines.filter(({ fields }) => fields['code'] === 'not_ready')
    expect(asked.map(({ level }) => level)).to.deep.equal(['debug', 'debug'])
  })

  for (const [code, level] of [
    ['EPIPE', 'debug'],
    ['ECONNRESET', 'debug'],
    ['ERR_STREAM_WRITE_AFTER_END', 'error'],
    [undefined, 'error'],
  ] as const)
    it(`have an answer that failed with ${code ?? 'no code'} at ${level}`, async () => {
      const { lines, logger } = recordingLogger()
      const app = createApp(await testKernel([speaker]), { auth: false, logger })
      const error = Object.assign(new Error(`write ${code}`), code ? { code } : {})
      app.emit('error', error)
      expect(lines.map((line) => line.level)).to.deep.equal([level])
      if (level === 'debug') expect(lines[0]?.fields).to.deep.equal({ code })
    })
})
