import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { expect } from 'chai'
import { errorOf } from '@sallyport/stand-ins/errors'
import { createDispatcher } from '../src/client/address.js'
import plugin from '../src/index.js'
import { hello, json } from './support/answers.js'
import { loadModel, optionsOf } from './support/models.js'
import { serveEachTest, StandIn } from './support/stand-in.js'

const server = new StandIn()

describe('the options', () => {
  it('have defaults', () => {
    expect(optionsOf({ url: 'http://a/v1' })).to.deep.equal({
      url: 'http://a/v1',
      headers: {},
      capabilities: ['chat', 'completion'],
      features: {},
      infill: false,
      kind: 'auto',
      body: {},
      timeouts: { connect: 10, firstByte: 300, idle: 60, total: 3600 },
      retries: { count: 2, delay: 0.5, longest: 20 },
      limits: { event: 4, body: 64, stream: 1024 },
      embedding: { batch: 64, queryPrefix: '', documentPrefix: '' },
      rerank: { scores: 'auto' },
    })
    expect(optionsOf({ server: { command: 'llama-server' } }).server).to.deep.equal({
      command: 'llama-server',
      args: [],
      env: {},
      port: 0,
      ready: { path: '/health', timeout: 300 },
      restart: { delay: 1, longest: 60 },
      stopTimeout: 5,
    })
  })

  for (const [name, options] of Object.entries({
    'neither url nor server': {},
    'a misspelt key': { url: 'http://a', retry: {} },
    'a misspelt key inside': { url: 'http://a', timeouts: { idel: 1 } },
    'a header with a line break in its name': { url: 'http://a', headers: { 'a\r\nb': 'c' } },
    'a file as URL': { url: 'file:///etc/passwd' },
    'a capability that there is not': { url: 'http://a', capabilities: ['chats'] },
    'a port beyond all': { server: { command: 'a', port: 70_000 } },
    'endless retries': { url: 'http://a', retries: { count: 1e6 } },
  }))
    it(`refuse ${name}`, () => expect(() => optionsOf(options)).to.throw())

  it('are those of the backend', () => {
    expect(plugin.name).to.equal('@sallyport/upstream')
    expect(plugin.backends?.openai?.files).to.equal('none')
  })
})

describe('loading a model', () => {
  serveEachTest(server)

  for (const url of ['http://user:pass@host/v1', 'http://'])
    it(`refuses the URL ${url}`, async () => {
      const { message } = await errorOf(loadModel({ url }), 'config_invalid')
      expect(message).to.match(/^models\.big-model\.options\.url: /)
    })

  it('learns the context and the owner from the listing', async () => {
    for (const [entry, contextLength] of [
      [{ id: 'big-model', max_model_len: 4096 }, 4096],
      [{ id: 'file.gguf', owned_by: 'llamacpp', meta: { n_ctx: 512, n_ctx_train: 9999 } }, 512],
      [{ id: 'big-model', context_length: 8192, owned_by: 'vendor' }, 8192],
    ] as const) {
      server.listing = { data: [{ id: 'other' }, entry] }
      const { loaded } = await loadModel({ url: server.url })
      expect(loaded.descriptor?.contextLength).to.equal(contextLength)
      expect(loaded.descriptor?.ownedBy).to.equal('owned_by' in entry ? entry.owned_by : undefined)
    }
    const { loaded } = await loadModel({ url: server.url, contextLength: 77, features: { tools: true } })
    expect(loaded.descriptor).to.deep.include({ contextLength: 77, features: { tools: true } })
  })

  it('learns of llama-server what the model can do, where the configuration does not say', async () => {
    server.listing = { data: [{ id: 'file.gguf', owned_by: 'llamacpp' }] }
    const props = { modalities: { vision: false }, chat_template_caps: { supports_tool_calls: true } }
    const { loaded } = await server.model(json(props))
    expect(server.asked.map(({ path }) => path)).to.deep.equal(['/props'])
    expect(loaded.descriptor?.features).to.deep.equal({ image: false, tools: true })
    const options = { url: server.url, features: { image: true, reasoning: true } }
    expect((await loadModel(options)).loaded.descriptor?.features).to.deep.equal({
      image: true,
      tools: true,
      reasoning: true,
    })
    server.will(json({ modalities: 'all' }))
    expect((await loadModel({ url: server.url })).loaded.descriptor?.features).to.deep.equal({})
  })

  it('goes on without a listing, and warns', async () => {
    const unlisted = await loadModel({ url: server.url, model: 'nobody' })
    expect(unlisted.log.text()).to.contain('does not list the model')
    server.listing = 'nonsense'
    const odd = await server.model(hello)
    expect((await odd.answer()).text).to.equal('Hello')
    const { url } = server
    await server.close()
    const absent = await loadModel({ url })
    expect(absent.log.text()).to.contain('does not describe itself')
  })

  it('provides what the configuration says', async () => {
    const { loaded } = await loadModel({ url: server.url, capabilities: ['embedding', 'tokens'] })
    expect(loaded.provides.map(({ capability }) => capability.name)).to.deep.equal(['embedding', 'tokens'])
  })

  it('warns of a key that is sent unencrypted', async () => {
    const options = { url: 'http://sallyport.invalid/v1', apiKey: 'sk-secret', retries: { count: 0 } }
    const { log } = await loadModel(options)
    expect(log.text()).to.contain('unencrypted').and.not.contain('sk-secret')
  })
})

describe('a proxy in the environment', () => {
  serveEachTest(server)
  const { http_proxy, no_proxy } = process.env
  afterEach(() => {
    for (const [name, value] of Object.entries({ http_proxy, no_proxy }))
      if (value === undefined) Reflect.deleteProperty(process.env, name)
      else process.env[name] = value
  })

  it('is used, except for this machine and what NO_PROXY names', async () => {
    const seen: string[] = []
    const proxy = createServer((incoming, response) => {
      seen.push(incoming.url ?? '')
      response.end('proxied')
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    Object.assign(process.env, {
      http_proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      no_proxy: 'inside.invalid:80,other.invalid:81,.x',
    })
    const get = async (text: string) => {
      const url = new URL(text)
      const dispatcher = createDispatcher(url, 1)
      try {
        const { body } = await request(url, { dispatcher })
        return await body.text()
      } finally {
        await dispatcher.destroy()
      }
    }
    expect(await get('http://upstream.invalid/v1/models')).to.equal('proxied')
    expect(await get('http://other.invalid/')).to.equal('proxied')
    expect(seen).to.deep.equal(['http://upstream.invalid/v1/models', 'http://other.invalid/'])
    expect(await get(`${server.url}/models`)).to.contain('big-model')
    for (const exempt of ['http://inside.invalid/', 'http://a.x/'])
      expect(await get(exempt).catch(() => 'direct')).to.equal('direct')
    expect(seen).to.have.length(2)
    proxy.close()
  })
})
