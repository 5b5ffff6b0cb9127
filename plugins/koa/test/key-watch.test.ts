import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChatChunk, TranscriptionChunk } from '@sallyport/core'
import { recordingLogger } from '@sallyport/testing'
import { expect } from 'chai'
import { KeyStore } from '../src/index.js'
import { Admission } from '../src/limits/admission.js'
import { callingTool, stepper, town } from './support/conversations.js'
import { fileOf, postForm } from './support/forms.js'
import { testKernel } from './support/kernel.js'
import type { TestModel } from './support/kernel.js'
import { openRaw, withServer } from './support/server.js'
import type { TestServer } from './support/server.js'

/** Says something, and then nothing until its call is aborted. */
async function* endless<Piece>(piece: Piece, signal: AbortSignal, begun: () => void): AsyncGenerator<Piece> {
  yield piece
  yield piece
  begun()
  await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
}

const denied = 'authentication failed'
const segment: TranscriptionChunk = { segment: { text: 'Hello there.', start: 0, end: 1 } }

describe('a key that ends while requests of it run', () => {
  /** Resolves when a model is at work. */
  let begins: Promise<void>
  let begun: () => void
  let aborted = 0
  beforeEach(() => {
    begins = new Promise((resolve) => (begun = resolve))
    aborted = 0
    mock.timers.enable({ apis: ['setInterval'] })
  })
  afterEach(() => mock.timers.reset())
  /** Lets the second pass for which a key may still be used after its end. */
  const aSecondPasses = () => mock.timers.tick(1000)
  const working = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => (aborted += 1))
    begun()
  }
  const models: TestModel[] = [
    {
      id: 'endless',
      services: {
        chat: { stream: (_, { signal }) => endless<ChatChunk>({ delta: 'Hello. ' }, signal, () => working(signal)) },
        completion: { stream: (_, { signal }) => endless({ delta: 'Hello. ' }, signal, () => working(signal)) },
        transcription: {
          stream: (_: unknown, { signal }: { signal: AbortSignal }) => endless(segment, signal, () => working(signal)),
        },
      },
    },
  ]

  /** What came of a request that was sent before its key ended. */
  const cut = async (
    { home }: TestServer,
    sent: Promise<Response>,
    // As another process does.
    end: () => void = () => new KeyStore(home).revoke('test'),
  ) => {
    await begins
    end()
    aSecondPasses()
    const answer = await sent
    return { status: answer.status, text: await answer.text() }
  }

  const messages = [{ role: 'user', content: 'hi' }]
  const tools = [{ type: 'mcp', server_label: 'town' }]
  const streams: [name: string, path: string, body: object, told: RegExp][] = [
    ['the own dialect', '/chat/completions', { messages }, /\ndata: \{"error":"authentication failed[^\n]*\n\n$/],
    ['OpenAI’s', '/v1/chat/completions', { messages }, /\ndata: \{"error":\{[^\n]*"code":"invalid_api_key"[^\n]*\n\n$/],
    ['completions', '/v1/completions', { prompt: 'hi' }, /\ndata: \{"error":\{[^\n]*"invalid_api_key"[^\n]*\n\n$/],
    [
      'responses',
      '/v1/responses',
      { input: 'hi' },
      /event: response\.failed\ndata: [^\n]*"invalid_api_key"[^\n]*\n\n$/,
    ],
    [
      'responses of the own dialect',
      '/responses',
      { input: 'hi' },
      /"type":"response\.failed".*\ndata: \{"error":"authentication[^\n]*\n\n$/s,
    ],
  ]
  for (const [name, path, body, told] of streams)
    it(`cuts streams of ${name} with an event`, async () => {
      await withServer(await testKernel(models), {}, async (server) => {
        const sent = server.post(path, { model: 'endless', ...body, stream: true })
        const { status, text } = await cut(server, sent)
        expect(status).to.equal(200)
        expect(text).to.contain('Hello.').and.to.match(told).and.not.to.contain('[DONE]')
        expect(aborted, 'the model stops').to.equal(1)
      })
    })

  it('cuts streams of transcriptions', async () => {
    await withServer(await testKernel(models), {}, async (server) => {
      const fields = { model: 'endless', stream: 'true', file: fileOf('sound') }
      const { text } = await cut(server, postForm(server, '/v1/audio/transcriptions', fields))
      expect(text).to.contain('Hello there.').and.to.contain('invalid_api_key')
    })
  })

  it('refuses what is not streamed', async () => {
    for (const [path, body, status] of [
      ['/chat/completions', { messages }, 403],
      ['/v1/chat/completions', { messages }, 401],
      ['/v1/responses', { input: 'hi' }, 401],
    ] as const) {
      begins = new Promise((resolve) => (begun = resolve))
      await withServer(await testKernel(models), {}, async (server) => {
        const answer = await cut(server, server.post(path, { model: 'endless', ...body }))
        expect(answer.status).to.equal(status)
        expect(answer.text).to.contain(denied)
      })
    }
  })

  it('ends loops of tools', async () => {
    const { model } = stepper('caller', callingTool('weather', '{"city":"Ulm"}'))
    const slow: TestModel = {
      ...town().model,
      services: {
        tools: {
          ...town().model.services['tools'],
          call: (_: unknown, { signal }: { signal: AbortSignal }) =>
            new Promise((__, reject) => {
              working(signal)
              signal.addEventListener('abort', () => reject(signal.reason as Error))
            }),
        },
      },
    }
    await withServer(await testKernel([model, slow]), {}, async (server) => {
      const sent = server.post('/v1/responses', { model: 'caller', input: 'hi', tools, stream: true })
      expect((await cut(server, sent)).text).to.match(/response\.failed.*invalid_api_key/s)
      expect(aborted).to.equal(1)
    })
  })

  /** A request with another key, which is left alone, and what ends it. */
  const ofAnotherKey = ({ url, keys }: TestServer) => {
    const gone = new AbortController()
    const sent = fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { 'x-api-key': keys.create({ name: 'other' }).key, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'endless', messages, stream: true }),
      signal: gone.signal,
    })
    return async () => {
      gone.abort()
      await sent.then(({ body }) => body?.cancel()).catch(() => undefined)
    }
  }

  it('takes what waits out of the queue', async () => {
    const { lines, logger } = recordingLogger()
    const { mock: admitted } = mock.method(Admission.prototype, 'run')
    const waiting = () => (admitted.calls.at(-1)?.this as Admission | undefined)?.load.waiting
    await withServer(
      await testKernel(models),
      { limits: { concurrency: 1, queue: 4, wait: 60 } },
      async (server) => {
        const leave = ofAnotherKey(server)
        await begins
        const post = () => server.post('/v1/chat/completions', { model: 'endless', messages })
        const asked = [post(), post()]
        while (waiting() !== 2) await sleep(10)
        server.keys.revoke('test')
        aSecondPasses()
        for (const answer of asked) expect((await answer).status).to.equal(401)
        expect(aborted, 'the other one goes on').to.equal(0)
        await leave()
      },
      logger,
    )
    admitted.restore()
    const codes = lines.flatMap(({ fields }) => fields['code'] ?? [])
    expect(codes.filter((code) => code === 'unauthenticated')).to.have.length(2)
  })

  const recordsOf = ({ home }: TestServer) =>
    readdirSync(join(home, 'keys'))
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(home, 'keys', name))
  const change = (server: TestServer, more: object) => {
    for (const file of recordsOf(server)) {
      const record = JSON.parse(readFileSync(file, 'utf8')) as object
      rmSync(file)
      writeFileSync(file, JSON.stringify({ ...record, ...more }))
    }
  }
  const ends: Record<string, (server: TestServer) => void> = {
    'is deleted': (server) => recordsOf(server).forEach((file) => rmSync(file)),
    expires: (server) => change(server, { expires: new Date(Date.now() - 1000).toISOString() }),
    'becomes that of another tenant': (server) => change(server, { id: 'somebody-else' }),
    'may use other models only': (server) => change(server, { models: ['another'] }),
  }
  for (const [name, end] of Object.entries(ends))
    it(`holds for one that ${name}`, async () => {
      await withServer(await testKernel(models), {}, async (server) => {
        const sent = server.post('/chat/completions', { model: 'endless', messages, stream: true })
        expect((await cut(server, sent, () => end(server))).text).to.contain(denied)
      })
    })

  it('leaves those of other keys alone', async () => {
    await withServer(await testKernel(models), {}, async (server) => {
      const leave = ofAnotherKey(server)
      await begins
      begins = new Promise((resolve) => (begun = resolve))
      await cut(server, server.post('/chat/completions', { model: 'endless', messages, stream: true }))
      expect(aborted).to.equal(1)
      await leave()
    })
  })

  it('does not wait for a client that reads nothing', async () => {
    let stopped: () => void = () => undefined
    const stops = new Promise<void>((resolve) => (stopped = resolve))
    const talkative: TestModel = {
      id: 'talkative',
      services: {
        chat: {
          stream: async function* (_, { signal }) {
            signal.addEventListener('abort', stopped)
            for (;;) {
              await Promise.resolve()
              signal.throwIfAborted()
              yield { delta: `${'word '.repeat(4000)}. ` }
              begun()
            }
          },
        },
      },
    }
    await withServer(await testKernel([talkative]), { timeouts: { slowReader: 600 } }, async (server) => {
      const body = JSON.stringify({ model: 'talkative', messages, stream: true })
      const connection = await openRaw(server.url)
      connection.socket.pause()
      connection.write(
        `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nx-api-key: ${server.key}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
      await begins
      await sleep(300)
      server.keys.revoke('test')
      aSecondPasses()
      await stops
      connection.socket.resume()
      expect(await connection.until('invalid_api_key')).to.contain('invalid_api_key')
      connection.socket.destroy()
    })
  })
})
