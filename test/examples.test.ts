import '@sallyport/examples/dosage.test'
import '@sallyport/examples/headline.test'
import '@sallyport/examples/house-words.test'
import '@sallyport/examples/shout.test'
import '@sallyport/examples/shouting.test'
import '@sallyport/examples/word-vectors.test'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { createKernel } from '@sallyport/kernel'
import type { Kernel } from '@sallyport/core'
import { embed } from '@sallyport/examples/embedded-http'
import { mount } from '@sallyport/examples/mounted-in-fastify'
import { ask } from '@sallyport/examples/openai-client'
import type { Question } from '@sallyport/examples/openai-client'
import shout from '@sallyport/examples/shout'
import { converse } from '@sallyport/examples/tools'
import type { CallableFunction } from '@sallyport/examples/tools'
import { readFileSync } from 'node:fs'
import { repository } from './support/repository.js'
import { run } from './support/run.js'
import { useServer } from './support/server.js'

const example = (name: string): string => readFileSync(join(repository, 'examples', name), 'utf8')

describe('the example of a backend in one file', function () {
  this.timeout(60_000)
  const source = example('shout.ts')
  const plugins = ['@sallyport/koa', { use: './shout.ts', options: { suffix: '?!' } }]
  const server = useServer({ plugins }, { 'shout.ts': source })
  const { directory } = server

  it('has fewer than 60 lines', () => {
    expect(source.split('\n').length).to.be.below(60)
  })

  it('answers from outside the repository, unstreamed although it only streams', async () => {
    const messages = [{ role: 'user', content: 'hello there' }]
    const response = await server.post('/v1/chat/completions', { model: 'shout-1', messages })
    const { choices } = (await response.json()) as { choices: { message: { content: string } }[] }
    expect(choices.map(({ message }) => message.content)).to.deep.equal(['HELLO THERE?!'])
  })

  it('gives several choices although it knows nothing of them', async () => {
    const body = { model: 'shout-1', messages: 'hi', n: 3 }
    const { choices } = (await (await server.post('/chat/completions', body)).json()) as { choices: unknown[] }
    expect(choices.length).to.equal(3)
  })

  it('is asked by the client example through OpenAI’s SDK', async () => {
    const words: string[] = []
    const question = { baseURL: `${server.url}/v1`, apiKey: server.key, question: 'are you there' }
    for await (const word of ask(question)) words.push(word)
    expect(words.join('')).to.equal('ARE YOU THERE?!')
  })

  it('ends without a word where nobody reads the rest of the answer', async () => {
    const client = JSON.stringify(join(repository, 'examples/dist/openai-client.js'))
    const line = `${JSON.stringify(process.execPath)} ${client} "${'are you there '.repeat(500)}" | head -c 20`
    const env = { SALLYPORT_URL: `${server.url}/v1`, SALLYPORT_API_KEY: server.key }
    const { stdout, stderr } = await run('sh', ['-c', line], { cwd: directory, env })
    expect(stdout).to.equal('ARE YOU THERE ARE YO')
    expect(stderr).to.equal('')
  })

  it('tells a client with a wrong key so, without a stack', async () => {
    const env = { SALLYPORT_URL: `${server.url}/v1`, SALLYPORT_API_KEY: 'a-key-that-is-not-known' }
    const client = join(repository, 'examples/dist/openai-client.js')
    const { code, stderr } = await run(process.execPath, [client], { cwd: directory, env })
    expect(code).to.equal(1)
    expect(stderr).to.match(/^http\S+: 401 authentication failed: send a valid key.*\n$/)
  })
})

describe('the example of a backend for models of the configuration', function () {
  this.timeout(60_000)
  const model = { backend: 'word-vectors', source: './few.txt', options: { contextLength: 2 } }
  const server = useServer(
    { plugins: ['@sallyport/koa', './word-vectors.ts'], models: { few: model } },
    { 'word-vectors.ts': example('word-vectors.ts'), 'few.txt': 'cat 3 4\ndog 4 3\n' },
  )

  it('embeds, from outside the repository and in a process of its own', async () => {
    const response = await server.post('/v1/embeddings', { model: 'few', input: ['Cat!', 'cat dog'] })
    const { data } = (await response.json()) as { data: { embedding: number[] }[] }
    const rounded = data.map(({ embedding }) => embedding.map((value) => Number(value.toFixed(3))))
    expect(rounded).to.deep.equal([
      [0.6, 0.8],
      [0.707, 0.707],
    ])
  })

  it('names what is too long as its callers know it', async () => {
    const response = await server.post('/v1/embeddings', { model: 'few', input: ['cat', 'cat cat cat'] })
    const { error } = (await response.json()) as { error: { message: string } }
    expect(error.message).to.match(/^input\[1\]: has 3 tokens, and the model takes 2/)
  })
})

describe('the example of a detector', function () {
  this.timeout(60_000)
  const server = useServer(
    {
      plugins: ['@sallyport/koa', './shout.ts', './house-words.ts'],
      models: { 'house-words': { backend: 'house-words', options: { words: ['drat'] } } },
    },
    { 'shout.ts': example('shout.ts'), 'house-words.ts': example('house-words.ts') },
  )

  const answers: [what: string, question: string, safeguards: NonNullable<Question['safeguards']>, answer: string][] = [
    ['is asked where a request wants it', 'oh drat', {}, 'OH DRAT!'],
    ['lets other answers through', 'all is well', { output: { toxicity: true } }, 'ALL IS WELL!'],
    ['blocks a word of its list', 'oh drat', { output: { toxicity: true } }, '400 failed toxicity check'],
    ['and one in entities', 'oh &#100;rat', { output: { toxicity: true } }, '400 failed toxicity check'],
  ]
  for (const [what, question, safeguards, answer] of answers)
    it(`${what}, through OpenAI’s SDK`, async () => {
      const words: string[] = []
      const client = { baseURL: `${server.url}/v1`, apiKey: server.key, model: 'shout-1', question, safeguards }
      try {
        for await (const word of ask(client)) words.push(word)
      } catch (error) {
        words.push((error as Error).message)
      }
      expect(words.join('')).to.equal(answer)
    })

  it('answers for itself', async () => {
    const { results } = (await (await server.post('/v1/moderations', { input: 'Drat!' })).json()) as {
      results: { flagged: boolean }[]
    }
    expect(results[0]).to.include({ flagged: true })
  })
})

describe('the examples of an embedded kernel', () => {
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({ plugins: [shout] })
  })
  after(() => kernel.stop())

  it('answers from a plain http server', async () => {
    const server = embed(kernel).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}/say?text=hello+there`)
    expect(await response.text()).to.equal('HELLO THERE!\n')
    server.close()
  })

  it('answers from inside Fastify, beside its own routes', async () => {
    const server = await mount(kernel)
    const url = await server.listen({ port: 0, host: '127.0.0.1' })
    expect(await (await fetch(`${url}/hello`)).json()).to.deep.equal({ hello: 'from the program around it' })
    const response = await fetch(`${url}/ai/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'shout-1', messages: [{ role: 'user', content: 'hello' }] }),
    })
    const { choices } = (await response.json()) as { choices: { message: { content: string } }[] }
    expect(choices[0]?.message.content).to.equal('HELLO!')
    await server.close()
  })
})

describe('the example of a client with functions', function () {
  this.timeout(60_000)
  const plugin = fileURLToPath(new URL('support/calling-plugin.js', import.meta.url))
  const server = useServer({ plugins: ['@sallyport/koa', plugin] })

  it('runs what the model calls, and gets an answer of what it returns', async () => {
    const echo: CallableFunction = {
      name: 'echo',
      description: 'Repeats a text.',
      parameters: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
      run: ({ message }) => `${String(message)}, said somebody else`,
    }
    const asked = { baseURL: `${server.url}/v1`, apiKey: server.key, model: 'caller', functions: [echo] }
    const answer = await converse({ ...asked, question: 'hello', toolChoice: 'required' })
    expect(answer).to.equal('hello, said somebody else')
  })
})
