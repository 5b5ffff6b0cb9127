/** The adapter on a real kernel with the reference backends: guards, life cycle, announcements. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { chat as chatCapability, definePlugin, failure, injectable } from '@sallyport/core'
import type { ChatCapability, Kernel } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { referencePlugin } from '@sallyport/testing/reference'
import { expect } from 'chai'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import koa from '../src/index.js'
import { freePort, withServer } from './support/server.js'

let speak: () => void = () => undefined
const maySpeak = new Promise<void>((resolve) => (speak = resolve))

/** Takes its time before it says anything, as models do with long prompts. */
@injectable()
class SlowChat implements ChatCapability {
  async *stream() {
    await maySpeak
    yield { delta: 'at last' }
    yield { finish: 'stop' as const }
  }
}

/** Refuses, but not at once, as servers behind a network do. */
@injectable()
class RefusingChat implements ChatCapability {
  async *stream(): AsyncGenerator<never> {
    await new Promise((resolve) => setTimeout(resolve, 50))
    throw failure('overloaded', {}, { retryAfter: 7 })
  }
}

const slow = definePlugin({
  name: 'slow',
  models: {
    slow: { capability: chatCapability, class: SlowChat },
    refusing: { capability: chatCapability, class: RefusingChat },
  },
})

const model = 'reference-chat'
const mail = 'write to ann@example.com'

describe('with a kernel', () => {
  const announced: string[] = []
  const surroundings = { home: process.env['SALLYPORT_HOME'], key: process.env['SALLYPORT_API_KEY'] }
  const { path: home } = useTemporaryDirectory()
  let kernel: Kernel
  let url: string
  let key: string

  before(async () => {
    process.env['SALLYPORT_HOME'] = home
    delete process.env['SALLYPORT_API_KEY']
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    kernel = await createKernel(
      { plugins: [referencePlugin, slow, koa], server: { port } },
      { announce: (lines) => announced.push(lines) },
    )
    key = /^Key: (\S+)$/m.exec(announced.join('\n'))?.[1] ?? ''
  })

  after(async () => {
    await kernel.stop()
    for (const [name, value] of [
      ['SALLYPORT_HOME', surroundings.home],
      ['SALLYPORT_API_KEY', surroundings.key],
    ] as const)
      if (value === undefined) Reflect.deleteProperty(process.env, name)
      else process.env[name] = value
  })

  const ask = (path: string, body: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const chat = (fields: object, prefix = '') => ask(`${prefix}/chat/completions`, { model, messages: 'hi', ...fields })

  it('sends headers once the input has passed, however long the model thinks', async () => {
    const response = await chat({ model: 'slow', stream: true })
    expect(response.status).to.equal(200)
    speak()
    expect(await response.text()).to.contain('at last')
  }).timeout(8000)

  it('answers a stream that the model refuses within a moment with a status', async () => {
    const response = await chat({ model: 'refusing', stream: true })
    expect(response.status).to.equal(429)
    expect(response.headers.get('retry-after')).to.equal('7')
  })

  it('answers a blocked stream with a status, before any header of a stream', async () => {
    const response = await chat({ messages: mail, stream: true, input: { pii: 'block' } })
    expect(response.status).to.equal(400)
  })

  it('prints a line that works when it is pasted', async function () {
    this.timeout(20_000)
    expect(announced).to.have.length(2)
    const line = announced[1]!.split('\n')[1]!
    expect(line)
      .to.match(/^curl /)
      .and.to.contain(key)
    const answer = await promisify(execFile)('sh', ['-c', `${line} -s`]).catch((error: unknown) => error as Error)
    if (answer instanceof Error && /not found/.test(answer.message)) this.skip()
    expect(JSON.parse((answer as { stdout: string }).stdout)).to.have.property('object', 'chat.completion')
  })

  it('answers, streamed and not, with the same text and the same usage', async () => {
    const whole = (await (await chat({ messages: 'one two three' })).json()) as {
      choices: { message: { content: string } }[]
      usage: object
    }
    const streamed = await (
      await chat({ messages: 'one two three', stream: true, stream_options: { include_usage: true } })
    ).text()
    const chunks = streamed
      .split('\n\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice(6)) as { choices: { generated_text?: string | null }[]; usage?: object })
    expect(chunks.at(-1)!.choices[0]!.generated_text).to.equal(whole.choices[0]!.message.content)
    expect(chunks.at(-1)!.usage).to.deep.equal(whole.usage)
  })

  it('blocks and replaces what the caller asks it to', async () => {
    for (const stream of [false, true]) {
      const blocked = await chat({ messages: mail, stream, input: { pii: 'block' } })
      expect(blocked.status).to.equal(400)
      expect(blocked.headers.get('x-safeguards')).to.equal('pii=block')
      expect(await blocked.json()).to.deep.equal({ error: 'pii detected' })
      const v1 = await chat({ messages: mail, stream, input: { pii: 'block' } }, '/v1')
      expect(v1.status).to.equal(400)
      expect(await v1.json()).to.deep.equal({
        error: { message: 'pii detected', type: 'invalid_request_error', code: 'content_filter', param: null },
      })
      const replaced = await chat({ messages: mail, stream, input: { pii: 'replace', pii_replace_method: 'category' } })
      expect(replaced.headers.get('x-safeguards')).to.equal('pii=replace')
      expect(await replaced.text())
        .to.contain('EMAIL_ADDRESS')
        .and.not.to.contain('ann@example.com')
    }
  })

  it('passes what is harmless', async () => {
    const answer = await chat({ input: { block_prompt_injection: true, pii: 'block' }, output: { toxicity: true } })
    expect(answer.status).to.equal(200)
    expect(answer.headers.get('x-safeguards')?.split(',')).to.have.members([
      'injection=pass',
      'pii=pass',
      'toxicity=pass',
    ])
  })

  it('echoes a prompt as the safeguards left it', async () => {
    const body = {
      model: 'reference-completion',
      prompt: mail,
      echo: true,
      max_tokens: 3,
      input: { pii: 'replace', pii_replace_method: 'category' },
    }
    const answer = await ask('/completions', body)
    const text = await answer.text()
    expect(answer.status, text).to.equal(200)
    expect(text).to.contain('write to <EMAIL_ADDRESS>')
  })

  it('ranks and returns documents as the safeguards left them', async () => {
    const documents = ['nothing', mail]
    const replacing = await createKernel({
      plugins: [referencePlugin],
      policies: { default: { input: { pii: { action: 'replace', method: 'category' } } } },
    })
    await withServer(replacing, {}, async ({ post }) => {
      const body = { model: 'reference-rerank', query: 'write', documents, return_documents: true }
      const answer = await post('/v1/rerank', body)
      expect(answer.headers.get('x-safeguards')).to.equal('pii=replace')
      const { results } = (await answer.json()) as { results: { index: number; text: string; document: object }[] }
      expect(results[0]).to.deep.include({
        index: 1,
        text: 'write to <EMAIL_ADDRESS>',
        document: { text: 'write to <EMAIL_ADDRESS>' },
      })
    })
  })

  it('refuses a prompt that does not fit', async () => {
    const answer = await chat({ messages: 'word '.repeat(5000) }, '/v1')
    expect(answer.status).to.equal(400)
    expect(await answer.json()).to.have.nested.property('error.code', 'context_length_exceeded')
  })

  it('calls tools and keeps to formats', async () => {
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }]
    expect(await (await chat({ tools, tool_choice: 'required' }, '/v1')).json()).to.have.nested.property(
      'choices[0].message.tool_calls[0].function.name',
      'f',
    )
    const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
    const json = (await (
      await chat({ response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } })
    ).json()) as {
      choices: { message: { content: string } }[]
    }
    expect(JSON.parse(json.choices[0]!.message.content)).to.have.property('a')
  })

  for (const [path, body] of [
    ['/embeddings', { model: 'reference-embedding', input: ['a', 'b'] }],
    ['/embeddings', { model: 'reference-embedding', input: [5, 99_999_999, 2 ** 40] }],
    ['/v1/embeddings', { model: 'reference-embedding', input: [[5], [99_999_999]] }],
    ['/v1/rerank', { model: 'reference-rerank', query: 'a', documents: ['a', 'b'] }],
    ['/tokenize', { model: 'reference-tokens', input: 'grüße 😀' }],
    ['/detokenize', { model: 'reference-tokens', tokens: [104, 105, 99_999_999] }],
    ['/factuality', { reference: 'The sky is blue.', text: 'The sky is blue.' }],
    ['/toxicity', { text: 'hello' }],
    ['/injection', { prompt: 'hello', detect: true }],
    ['/PII', { prompt: mail, replace: false }],
  ] as const)
    it(`serves ${path} with ${JSON.stringify(body)}`, async () => {
      const answer = await ask(path, body)
      expect(answer.status, await answer.text()).to.equal(200)
    })

  it('drains with the kernel', async () => {
    await kernel.drain(AbortSignal.timeout(1000))
    const later = await fetch(`${url}/healthz`).catch((error: unknown) => error)
    expect(later).to.be.instanceOf(TypeError)
  })
})
