import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'chai'
import OpenAI from 'openai'
import { repository } from './support/repository.js'
import { run } from './support/run.js'
import { startServer } from './support/server.js'
import type { RunningServer } from './support/server.js'

const model = 'smollm2-135m-instruct'
const longAnswer = {
  model,
  messages: [{ role: 'user', content: 'Count from one to one thousand, in words.' }],
  max_tokens: 200,
  stream: true,
}

/** Asks as a client does: where the server says when to try again, it tries again. */
const patiently = async (server: RunningServer, body: object, tries = 5): Promise<Response> => {
  const response = await server.post('/v1/chat/completions', body)
  const retryAfter = response.headers.get('retry-after')
  if (response.status !== 503 || retryAfter === null || tries === 0) return response
  await new Promise((resolve) => setTimeout(resolve, Number(retryAfter) * 1000))
  return patiently(server, body, tries - 1)
}

/** The default configuration and its real model, as `npm start` serves them. */
describe('the default server', function () {
  this.timeout(600_000)
  let server: RunningServer
  before(async () => {
    server = await startServer(join(repository, 'config/default.yaml'))
  })
  after(() => server.stop())

  it('prints a curl line that works when it is pasted', async () => {
    const line = server
      .output()
      .split('\n')
      .find((each) => each.startsWith('curl '))
    expect(line, server.output()).to.be.a('string')
    const { stdout, stderr } = await run('bash', ['-c', `${line!} --silent --show-error`], {
      cwd: repository,
      env: { SALLYPORT_API_KEY: server.key },
    })
    const answer = JSON.parse(stdout || '{}') as { choices?: { message: { content: string } }[] }
    expect(answer.choices?.[0]?.message.content, `${stdout}\n${stderr}`).to.be.a('string').and.not.equal('')
  })

  it('streams to OpenAI’s SDK, and the pieces are the unstreamed answer', async () => {
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.key })
    const request = {
      model,
      messages: [{ role: 'user' as const, content: 'What is the capital of France?' }],
      temperature: 0,
      max_tokens: 24,
    }
    const stream = await client.chat.completions.create({
      ...request,
      stream: true,
      stream_options: { include_usage: true },
    })
    let streamed = ''
    let completionTokens = 0
    for await (const { choices, usage } of stream) {
      streamed += choices[0]?.delta.content ?? ''
      completionTokens = usage?.completion_tokens ?? completionTokens
    }
    const { choices, usage } = await client.chat.completions.create(request)
    expect(streamed).not.to.equal('')
    expect(choices[0]?.message.content).to.equal(streamed)
    expect(usage?.completion_tokens).to.equal(completionTokens)
  })

  it('counts the prompt that it has seen before as cached', async () => {
    const body = { model, messages: 'A prompt of which the server has seen the beginning already.', max_tokens: 1 }
    await server.post('/chat/completions', body)
    const { usage } = (await (await server.post('/chat/completions', body)).json()) as {
      usage: { prompt_tokens: number; prompt_tokens_details: { cached_tokens: number } }
    }
    expect(usage.prompt_tokens_details.cached_tokens).to.be.within(1, usage.prompt_tokens - 1)
  })

  it('gives tokens back as the text that they were made of', async () => {
    const input = 'naïve 🙂 — “quoted”\n\ttab'
    const tokenized = (await (await server.post('/tokenize', { model, input })).json()) as { tokens: { id: number }[] }
    const tokens = tokenized.tokens.map(({ id }) => id)
    const { text } = (await (await server.post('/detokenize', { model, tokens })).json()) as { text: string }
    expect(text).to.equal(input)
  })

  it('survives the death of the model’s process: the stream ends with an error, the next request is answered', async () => {
    const response = await server.post('/v1/chat/completions', longAnswer)
    const reader = response.body!.getReader()
    await reader.read()
    execFileSync('pkill', ['-KILL', '-P', String(server.child.pid)])
    let rest = ''
    for (;;) {
      const read = (await reader.read()) as { done: boolean; value?: Uint8Array }
      if (read.done) break
      rest += Buffer.from(read.value ?? []).toString()
    }
    expect(rest).to.contain('"error"').and.not.contain('[DONE]')
    const next = await patiently(server, { ...longAnswer, stream: false, max_tokens: 3 })
    expect(next.status).to.equal(200)
  })

  it('frees the model when the client goes', async () => {
    const gone = new AbortController()
    const bodies = Array.from({ length: 4 }, () => server.post('/chat/completions', longAnswer, gone.signal))
    const responses = await Promise.all(bodies)
    await Promise.all(responses.map((response) => response.body!.getReader().read()))
    gone.abort()
    const started = performance.now()
    const response = await server.post('/chat/completions', { model, messages: 'Hi', max_tokens: 1 })
    expect(response.status).to.equal(200)
    // All sequences were busy for seconds to come; the bound only tells freed from not freed.
    expect(performance.now() - started).to.be.below(3000)
  })

  it('finishes what is running when it is told to stop, and ends with success', async () => {
    const own = await startServer(join(repository, 'config/default.yaml'))
    const response = await own.post('/v1/chat/completions', { ...longAnswer, max_tokens: 40 })
    const ended = once(own.child, 'exit')
    own.child.kill('SIGTERM')
    expect(await response.text()).to.match(/data: \[DONE\]\n\n$/)
    await ended
    expect(own.child.exitCode).to.equal(0)
    await own.stop()
  })
})
