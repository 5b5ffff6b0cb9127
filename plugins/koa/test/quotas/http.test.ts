import { setTimeout as sleep } from 'node:timers/promises'
import type { ChatChunk } from '@sallyport/core'
import { expect } from 'chai'
import type { ServerOptionsInput } from '../../src/options.js'
import { testKernel } from '../support/kernel.js'
import type { TestModel } from '../support/kernel.js'
import { speaker, toolbox } from '../support/models.js'
import { serverFor, withServer } from '../support/server.js'
import type { TestServer } from '../support/server.js'
import { usedBy } from './stored-usage.js'

/** Writes until it is aborted. */
const writer: TestModel = {
  id: 'writer',
  contextLength: 4096,
  services: {
    chat: {
      stream: async function* (_, { signal }): AsyncGenerator<ChatChunk> {
        for (let word = 0; word < 10; word += 1) yield { delta: 'four' }
        await new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
        )
      },
    },
  },
}

const hello = { model: 'speaker', messages: [{ role: 'user', content: 'Hello there!' }] }

const withQuotas = async (
  quotas: NonNullable<ServerOptionsInput['quotas']>,
  use: (server: TestServer) => Promise<void>,
  options: ServerOptionsInput = {},
) => withServer(await testKernel([speaker, toolbox, writer]), { ...options, quotas }, use)

const errorOf = async (answer: Response) =>
  ((await answer.json()) as { error: { message: string; code: string; type: string } }).error

describe('quotas over HTTP', () => {
  const refusals: {
    name: string
    quota: Record<string, number>
    body: object
    free: number
    message: RegExp
    retryAfter: (now: Date) => number
    code?: string
  }[] = [
    {
      name: 'requests per minute',
      quota: { rpm: 2 },
      body: hello,
      free: 2,
      message: /^the key "test" has 2 requests per minute: the next one is free in (29|30) s$/,
      retryAfter: () => 30,
    },
    {
      name: 'tokens per minute',
      quota: { tpm: 100 },
      body: { ...hello, max_tokens: 90 },
      free: 1,
      message:
        /^the key "test" has 100 tokens per minute, of which 92 are left, and this request may need 94: free again in 2 s$/,
      retryAfter: () => 2,
    },
    {
      name: 'tokens per day',
      quota: { tokensPerDay: 100 },
      body: { ...hello, max_tokens: 90 },
      free: 1,
      message: /^the key "test" has 100 tokens per day, of which 92 are left, .* free again at \d{4}-\d\d-\d\dT00:00Z$/,
      retryAfter: (now) =>
        Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - +now) / 1000),
    },
    {
      name: 'tokens per month',
      quota: { tokensPerMonth: 100 },
      body: { ...hello, max_tokens: 90 },
      free: 1,
      message: /^the key "test" has 100 tokens per month, of which 92 are left, .* free again at \d{4}-\d\d-01T00:00Z$/,
      retryAfter: (now) => Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - +now) / 1000),
    },
    {
      name: 'a budget',
      quota: { budget: 0.000_02 },
      body: hello,
      free: 0,
      message: /^the key "test" has 0\.00002 left of its budget of 0\.00002 for this month, and this request may cost/,
      retryAfter: () => 1,
      code: 'insufficient_quota',
    },
    {
      name: 'a budget that is used up',
      quota: { budget: 0 },
      body: hello,
      free: 0,
      message: /^the key "test" has used up its budget of 0 for this month: free again at \d{4}-\d\d-01T00:00Z$/,
      retryAfter: (now) => Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - +now) / 1000),
      code: 'insufficient_quota',
    },
  ]
  for (const { name, quota, body, free, message, retryAfter, code = 'rate_limit_exceeded' } of refusals)
    it(`refuse what is over ${name}, and say when it is free again`, () =>
      withQuotas({ default: quota, prices: { speaker: { input: 1, output: 2 } } }, async ({ post }) => {
        for (let at = 0; at < free; at += 1) expect((await post('/v1/chat/completions', body)).status).to.equal(200)
        const answer = await post('/v1/chat/completions', body)
        expect(answer.status).to.equal(429)
        const error = await errorOf(answer)
        expect(error.message).to.match(message)
        expect(error.code).to.equal(code)
        if (code === 'insufficient_quota') expect(error.type).to.equal(code)
        if (name !== 'a budget')
          expect(Number(answer.headers.get('retry-after'))).to.be.closeTo(retryAfter(new Date()), 2)
        expect(answer.headers.get('retry-after')).to.match(/^\d+$/)
      }))

  it('tell on every answer what is left, as OpenAI does', () =>
    withQuotas({ default: { rpm: 60, tpm: 6000 } }, async ({ post }) => {
      for (const { stream, left } of [
        { stream: false, left: [5985, 5995] },
        // The head of a stream leaves before it is known what the answer takes.
        { stream: true, left: [5885, 5905] },
      ]) {
        const answer = await post('/v1/chat/completions', { ...hello, stream, max_tokens: 97 })
        const headers = Object.fromEntries(answer.headers)
        await answer.text()
        expect(headers).to.include({ 'x-ratelimit-limit-requests': '60', 'x-ratelimit-limit-tokens': '6000' })
        expect(Number(headers['x-ratelimit-remaining-requests'])).to.be.within(57, 59)
        expect(Number(headers['x-ratelimit-remaining-tokens'])).to.be.within(left[0]!, left[1]!)
        expect(headers['x-ratelimit-reset-requests']).to.match(/^(\d+ms|[12](\.\d+)?s)$/)
        expect(headers['x-ratelimit-reset-tokens']).to.match(/^(\d+ms|[12](\.\d+)?s)$/)
      }
      const bad = await post('/v1/chat/completions', { model: 'speaker' })
      expect([bad.status, bad.headers.has('x-ratelimit-remaining-requests')]).to.deep.equal([400, true])
    }))

  it('tell nothing where nothing is limited, and count all the same', () =>
    withQuotas({}, async (server) => {
      const answer = await server.post('/v1/chat/completions', hello)
      expect([...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).to.deep.equal([])
      expect(await usedBy(server)).to.deep.equal([{ model: 'speaker', requests: 1, tokensIn: 5, tokensOut: 3 }])
    }))

  it('give back what a request has reserved and not used', () =>
    withQuotas({ default: { tokensPerDay: 1100 } }, async (server) => {
      for (let at = 0; at < 4; at += 1) {
        const answer = await server.post('/v1/chat/completions', hello)
        expect(answer.status, 'a request without max_tokens reserves 1,024 tokens of its answer').to.equal(200)
      }
      expect(await usedBy(server)).to.deep.equal([{ model: 'speaker', requests: 4, tokensIn: 20, tokensOut: 12 }])
    }))

  it('can be smaller than what a request without max_tokens would reserve', () =>
    withQuotas({ default: { tpm: 50 } }, async ({ post }) => {
      expect((await post('/v1/chat/completions', hello)).status).to.equal(200)
    }))

  it('refuse for ever what no wait makes possible', () =>
    withQuotas({ default: { tpm: 50 } }, async ({ post }) => {
      const answer = await post('/v1/chat/completions', { ...hello, max_tokens: 100 })
      expect(answer.status).to.equal(400)
      expect((await errorOf(answer)).message).to.equal(
        'this request may need 104 tokens (about 4 for the prompt and 100 for the answer), but the key "test" has 50 ' +
          'per minute: shorten the prompt, or lower max_tokens or n',
      )
    }))

  for (const stream of [true, false])
    it(`hold running requests, and count what an aborted one has written, ${stream ? 'a stream' : 'a whole'}`, () =>
      withQuotas({ default: { running: 1 } }, async (server) => {
        const client = new AbortController()
        const running = fetch(`${server.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ ...hello, model: 'writer', stream }),
          signal: client.signal,
        })
        const seen = stream ? running.then((answer) => answer.body!.getReader().read()) : sleep(200)
        running.catch(() => undefined)
        await seen
        const refused = await server.post('/v1/chat/completions', hello)
        expect([refused.status, (await errorOf(refused)).message]).to.deep.equal([
          429,
          'the key "test" has 1 running request: wait for one to end',
        ])
        client.abort()
        await sleep(50)
        expect((await server.post('/v1/chat/completions', hello)).status).to.equal(200)
        expect(await usedBy(server)).to.have.deep.members([
          { model: 'speaker', requests: 1, tokensIn: 5, tokensOut: 3 },
          { model: 'writer', requests: 1, tokensIn: 4, tokensOut: 10 },
        ])
      }))

  const counted: { name: string; path: string; body: object; row: object }[] = [
    {
      name: 'several answers',
      path: '/v1/chat/completions',
      body: { ...hello, n: 3 },
      row: { model: 'speaker', requests: 1, tokensIn: 5, tokensOut: 9 },
    },
    {
      name: 'several prompts',
      path: '/v1/completions',
      body: { model: 'speaker', prompt: ['a', 'b'] },
      row: { model: 'speaker', requests: 1, tokensIn: 10, tokensOut: 6 },
    },
    {
      name: 'a stream',
      path: '/v1/chat/completions',
      body: { ...hello, stream: true },
      row: { model: 'speaker', requests: 1, tokensIn: 5, tokensOut: 3 },
    },
    {
      name: 'a response',
      path: '/v1/responses',
      body: { model: 'speaker', input: 'hi', stream: true },
      row: { model: 'speaker', requests: 1, tokensIn: 5, tokensOut: 3 },
    },
    {
      name: 'embeddings',
      path: '/v1/embeddings',
      body: { model: 'toolbox', input: ['a', 'b'] },
      row: { model: 'toolbox', requests: 1, tokensIn: 2, tokensOut: 0 },
    },
    {
      name: 'requests whose tokens nobody counts',
      path: '/v1/tokenize',
      body: { model: 'toolbox', input: 'abc' },
      row: { model: 'toolbox', requests: 1, tokensIn: 0, tokensOut: 0 },
    },
    {
      name: 'rerank',
      path: '/v1/rerank',
      body: { model: 'toolbox', query: 'a', documents: ['b'] },
      row: { model: 'toolbox', requests: 1, tokensIn: 7, tokensOut: 0 },
    },
  ]
  describe('count', () => {
    const server = serverFor(() => testKernel([speaker, toolbox, writer]), { quotas: { default: { tpm: 1_000_000 } } })
    for (const { name, path, body, row } of counted)
      it(name, async () => {
        const { key } = server.keys.create({ name })
        const answer = await server.post(path, body, { authorization: `Bearer ${key}` })
        expect(answer.status).to.equal(200)
        await answer.text()
        expect(await usedBy(server, name)).to.deep.equal([row])
      })
  })

  it('are shared by the keys of a team, beside their own', () =>
    withQuotas({ teams: { lab: { rpm: 3 } } }, async (server) => {
      const keys = ['one', 'two'].map((name) => server.keys.create({ name, team: 'lab', quota: { rpm: 2 } }).key)
      const status = async (key: string | undefined) => {
        const answer = await server.post('/v1/chat/completions', hello, { authorization: `Bearer ${key}` })
        return answer.status === 429 ? (await errorOf(answer)).message.replace(/ free in.*/, '') : answer.status
      }
      expect(await status(keys[0])).to.equal(200)
      expect(await status(keys[0])).to.equal(200)
      expect(await status(keys[0])).to.equal('the key "one" has 2 requests per minute: the next one is')
      expect(await status(keys[1])).to.equal(200)
      expect(await status(keys[1])).to.equal('the team "lab" has 3 requests per minute: the next one is')
      expect(await status(server.key)).to.equal(200)
    }))

  it('refuse a key whose team the configuration does not have', () =>
    withQuotas({}, async (server) => {
      const { key } = server.keys.create({ name: 'lost', team: 'lab' })
      const answer = await server.post('/v1/chat/completions', hello, { authorization: `Bearer ${key}` })
      expect(answer.status).to.equal(403)
      expect((await errorOf(answer)).message).to.contain('the team "lab" of this key is not in the configuration')
    }))

  it('hold without authentication for everybody together', () =>
    withQuotas(
      { default: { rpm: 1 } },
      async ({ url }) => {
        const ask = () =>
          fetch(`${url}/v1/chat/completions`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(hello),
          })
        expect((await ask()).status).to.equal(200)
        expect((await errorOf(await ask())).message).to.contain('this caller has 1 request per minute')
      },
      { auth: false },
    ))

  it('change at once in a running server, and cut nothing that runs', () =>
    withQuotas({}, async (server) => {
      const running = await server.post('/v1/chat/completions', { ...hello, model: 'writer', stream: true })
      const reader = running.body!.getReader()
      await reader.read()
      server.keys.setQuota('test', { running: 1 })
      expect((await server.post('/v1/chat/completions', hello)).status).to.equal(429)
      server.keys.setQuota('test', { running: undefined })
      expect((await server.post('/v1/chat/completions', hello)).status).to.equal(200)
      await sleep(600)
      const reading = reader.read().then(() => 'ended')
      expect(await Promise.race([reading, sleep(50, 'runs')])).to.equal('runs')
      await reader.cancel()
      await reading
    }))
})
