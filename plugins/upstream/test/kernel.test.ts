import { fileURLToPath } from 'node:url'
import { chat, embedding } from '@sallyport/core'
import type { Kernel, ModelState } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { expect } from 'chai'
import { errorOf } from '@sallyport/stand-ins/errors'
import plugin from '../src/index.js'
import { hello, json } from './support/answers.js'
import { serveEachTest, StandIn } from './support/stand-in.js'

const server = new StandIn()
let kernel: Kernel | undefined

const ready = async (options: object): Promise<Kernel> => {
  const models = { 'big-model': { backend: 'openai', options: { url: server.url, ...options } } }
  kernel = await createKernel({ plugins: [plugin], models, log: { level: 'silent' } })
  while (kernel.modelState('big-model') === 'loading') await new Promise((resolve) => setTimeout(resolve, 5))
  return kernel
}

const reaches = async (running: Kernel, state: ModelState) => {
  while (running.modelState('own') !== state) await new Promise((resolve) => setTimeout(resolve, 2))
}

describe('the plugin in a kernel', () => {
  serveEachTest(server)
  afterEach(() => kernel?.stop())

  it('serves chat like any other model, several choices included', async () => {
    server.listing = { data: [{ id: 'big-model', max_model_len: 4096 }] }
    server.will(hello)
    const served = await ready({})
    expect(served.models(chat)[0]).to.include({ id: 'big-model', contextLength: 4096 })
    const { choices, usage } = await served
      .get(chat, 'big-model')
      .generate({ messages: [{ role: 'user', content: 'Hi' }], n: 2 })
    expect(choices.map(({ text }) => text)).to.deep.equal(['Hello', 'Hello'])
    expect(usage).to.deep.equal({ promptTokens: 5, completionTokens: 4 })
    expect(server.asked.map(({ body }) => body.n)).to.deep.equal([undefined, undefined])
  })

  it('serves embeddings', async () => {
    server.will(json({ data: [{ index: 0, embedding: [0, 1] }], usage: { prompt_tokens: 1 } }))
    const served = await ready({ capabilities: ['embedding'] })
    const { vectors } = await served.get(embedding).embed({ inputs: [{ text: 'a' }] })
    expect([...vectors[0]!]).to.deep.equal([0, 1])
  })

  it('lists a model whose server is down as restarting, and finds its program beside the configuration', async () => {
    const directory = fileURLToPath(new URL('support', import.meta.url))
    const program = { command: process.execPath, args: ['server-program.js', '{port}'] }
    const models = { own: { backend: 'openai', options: { capabilities: ['chat'], server: program } } }
    kernel = await createKernel({ plugins: [plugin], models }, { baseDirectory: directory })
    expect(kernel.modelState('own')).to.equal('ready')
    await errorOf(kernel.get(chat).generate({ messages: [{ role: 'user', content: 'please crash' }] }))
    await reaches(kernel, 'restarting')
    await reaches(kernel, 'ready')
  })

  it('refuses a configuration with a misspelt option', async () => {
    const { message } = await errorOf(ready({ timeout: {} }), 'config_invalid')
    expect(message).to.contain('timeouts')
  })
})
