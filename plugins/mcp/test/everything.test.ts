import { outputText, tools } from '@sallyport/core'
import { runConformance } from '@sallyport/testing'
import { expect } from 'chai'
import { errorOf } from '@sallyport/stand-ins/errors'
import { until } from '@sallyport/stand-ins/promises'
import { everythingOverStdio, startEverything } from './support/everything.js'
import { startKernel, stopAll } from './support/kernels.js'
import type { Running } from './support/kernels.js'
import { result, startSite } from './support/site.js'
import type { Answer } from './support/site.js'

const ways = {
  stdio: () => Promise.resolve<object>(everythingOverStdio),
  'streamable HTTP': async () => ({ url: (await startEverything('streamableHttp')).url }),
  SSE: async () => ({ url: (await startEverything('sse')).url }),
  'SSE alone': async () => ({ url: (await startEverything('sse')).url, transport: 'sse' }),
}

for (const [name, way] of Object.entries(ways))
  describe(`the reference server over ${name}`, function () {
    this.timeout(60_000)
    let running: Running
    before(async () => {
      running = await startKernel({
        servers: { everything: { ...(await way()), description: 'Everything.', timeout: 2 } },
      })
    })
    after(stopAll)

    const call = async (tool: string, given: object = {}) => {
      const result = await running.tools.call({ server: 'everything', name: tool, arguments: given })
      return { ...result, output: outputText(result) }
    }

    it('is listed with its tools', async () => {
      const { servers } = await running.tools.list({})
      expect(servers).to.have.length(1)
      const [server] = servers
      expect(server).to.include({ label: 'everything', description: 'Everything.' })
      expect(server!.created).to.be.within(Date.now() / 1000 - 120, Date.now() / 1000)
      const echo = server!.tools.find((tool) => tool.name === 'echo')
      expect(echo).to.have.nested.property('parameters.properties.message')
      expect((await running.tools.list({ server: 'everything' })).servers).to.deep.equal(servers)
    })

    it('answers calls', async () => {
      expect(await call('echo', { message: 'hello' })).to.deep.equal({ output: 'Echo: hello' })
      expect((await call('get-sum', { a: 2, b: 3 })).output).to.contain('5')
    })

    it('gives a line for what is no text, and what is structured once', async () => {
      expect((await call('get-tiny-image')).output).to.match(/\[image, image\/png, \d+ bytes\]/)
      expect((await call('get-resource-links', { count: 1 })).output).to.contain('[link to a resource, demo://')
      const { output } = await call('get-structured-content', { location: 'Chicago' })
      expect(output.match(/temperature/g)).to.have.length(1)
    })

    it('tells the model what is wrong with a call', async () => {
      const { output, error } = await call('get-sum', { a: 'x' })
      expect(error).to.equal(true)
      expect(output).to.match(/invalid/i)
    })

    it('is waited for longer while it reports progress, and not without', async () => {
      const { output } = await call('trigger-long-running-operation', { duration: 3, steps: 6 })
      expect(output).to.contain('completed')
      const { message } = await errorOf(
        call('trigger-long-running-operation', { duration: 5, steps: 1 }),
        'deadline_exceeded',
      )
      expect(message).to.contain('2 s')
    })

    it('is given up at once by a caller who leaves', async () => {
      const caller = new AbortController()
      const reason = new Error('left')
      const asked = {
        server: 'everything',
        name: 'trigger-long-running-operation',
        // longer than this test may take
        arguments: { duration: 600, steps: 6000 },
      }
      setTimeout(() => caller.abort(reason), 100)
      const left: unknown = await running.tools.call(asked, { signal: caller.signal }).catch((error: unknown) => error)
      expect(left).to.equal(reason)
      expect(await call('echo', { message: 'on' })).to.deep.equal({ output: 'Echo: on' })
    })

    it('answers 100 callers at once, each with its own', async () => {
      const numbers = Array.from({ length: 100 }, (_, index) => index)
      const outputs = await Promise.all(numbers.map((number) => call('echo', { message: `<${number}>` })))
      expect(outputs.map(({ output }) => output)).to.deep.equal(numbers.map((number) => `Echo: <${number}>`))
    })

    runConformance(tools, {
      create: () => Promise.resolve(running.tools as never),
      facts: {
        toolCalls: [
          { server: 'everything', name: 'echo', arguments: { message: 'one' } },
          { server: 'everything', name: 'echo', arguments: { message: 'two' } },
        ],
        failingToolCall: { server: 'everything', name: 'get-sum', arguments: {} },
      },
    })
  })

describe('a reference server that is killed', function () {
  this.timeout(60_000)
  afterEach(stopAll)

  for (const kind of ['streamableHttp', 'sse'] as const)
    it(`fails the call that runs, and is reached again when it is back: ${kind}`, async () => {
      const first = await startEverything(kind)
      const { tools: served } = await startKernel({ servers: { everything: { url: first.url, timeout: 30 } } })
      const call = (name: string, given: object) => served.call({ server: 'everything', name, arguments: given })
      await served.list({})
      const running = errorOf(call('trigger-long-running-operation', { duration: 20, steps: 1 }), 'upstream_failed')
      setTimeout(() => void first.kill(), 200)
      await running
      await startEverything(kind, first.port)
      const again = () => call('echo', { message: 'back' }).catch(() => undefined)
      await until(async () => (await again())?.output === 'Echo: back')
    })

  it('is not asked anew when it offers no stream of events', async () => {
    const initialize: Answer = (response, asked) => {
      response.setHeader('mcp-session-id', 'one')
      const serverInfo = { name: 'a', version: '1' }
      result(response, asked, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo })
    }
    const site = await startSite({ initialize, GET: (response) => response.writeHead(404).end() })
    const { tools: served } = await startKernel({ servers: { odd: { url: site.url } } })
    await served.list({})
    await until(() => site.asked.some(({ method }) => method === 'GET'))
    await served.call({ server: 'odd', name: 'echo', arguments: {} })
    expect(site.asked.filter(({ method }) => method === 'initialize')).to.have.length(1)
  })
})
