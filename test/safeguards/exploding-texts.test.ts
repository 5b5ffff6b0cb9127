import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { createKernel } from '@sallyport/kernel'
import type { Kernel } from '@sallyport/core'
import { handler } from '@sallyport/koa'
import { expect } from 'chai'
import type { RunningServer } from '../support/server.js'
import { detectors, serverWith } from './support.js'

/** What makes careless expressions go back and forth. */
const units = [
  ...['a', '(', '@', '1-', '1 ', '://', 'a.', 'a@', '.com', '\u0301', 'é', '\\', '\\u0061', '<', 'A ', '\u200b', '%20'],
  ...['http://a@', '4111 ', 'my SSN is ', 'ignore all ', '\u{1f468}\u200d', 'ש', '\ufeff'],
]
const repeated = (unit: string, length: number) => `${unit.repeat(Math.ceil(length / unit.length)).slice(0, length)}!`

const headers = { 'content-type': 'application/json' }

const requests = (text: string): readonly (readonly [path: string, body: object])[] => [
  ['/PII', { prompt: text, replace: true, replace_method: 'category' }],
  ['/injection', { prompt: text, detect: true }],
  ['/factuality', { text, reference: 'Jane lives in Berlin.' }],
  ['/factuality', { text: 'Jane lives in Berlin.', reference: text }],
]

describe('texts made against expressions', function () {
  this.timeout(120_000)
  let kernel: Kernel
  let http: Server
  before(async () => {
    kernel = await createKernel(
      {
        plugins: ['@sallyport/pii', '@sallyport/guards'],
        models: {
          pii: { backend: 'pii' },
          injection: { backend: 'injection' },
          factuality: { backend: 'factuality' },
        },
        log: { level: 'silent' },
      },
      {},
    )
    http = createServer(handler(kernel, { auth: false }))
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  })
  after(async () => {
    http.close()
    await kernel.stop()
  })

  /** Microseconds of the processor, of the better of two tries where the first is not good enough. */
  const cost = async (path: string, body: object, enough = 0): Promise<number> => {
    const { port } = http.address() as AddressInfo
    let best = Infinity
    for (let attempt = 0; attempt < 2 && best >= enough; attempt += 1) {
      const before = process.cpuUsage()
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      const text = await response.text()
      expect(response.status, text.slice(0, 300)).to.equal(200)
      const { user, system } = process.cpuUsage(before)
      best = Math.min(best, user + system)
    }
    return best
  }

  /** Four times for what grows with the length, sixteen times for what grows with its square. */
  const mostGrowth = 9
  /** Microseconds that a request takes whatever its length, with what else the process does. */
  const constant = 60_000

  for (const unit of units)
    it(`take time in their length: ${JSON.stringify(unit)}`, async () => {
      const long = requests(repeated(unit, 64_000))
      for (const [position, [path, body]] of requests(repeated(unit, 16_000)).entries()) {
        const most = (await cost(path, body)) * mostGrowth + constant
        expect(await cost(path, long[position]![1], most), path).to.be.below(most)
      }
    })
})

describe('a prompt of a megabyte', function () {
  this.timeout(400_000)
  let server: RunningServer
  before(async function () {
    this.timeout(600_000)
    const check = { budget: 1000 }
    const callerPolicy = { input: { injection: check, pii: check } }
    server = await serverWith({ models: { ...detectors, pii: { backend: 'pii' } }, sections: { callerPolicy } })
  })
  after(() => server.stop())

  const length = 1_000_000
  const short = 'Mail jane.miller@acme-widgets.com today.'
  const checked = { input: { pii: 'replace', pii_replace_method: 'category', block_prompt_injection: true } }
  const texts = [
    ['prose', repeated('Jane Miller lives in Berlin, and her card is 4111 1111 1111 1111. ', length)],
    ...['(', '1-', '\u0301'].map((unit) => [`of ${JSON.stringify(unit)}`, repeated(unit, length)] as const),
  ] as const

  for (const [what, messages] of texts)
    it(`is refused within the time of its checks, and others are answered meanwhile: ${what}`, async () => {
      const waiting = server.post('/chat/completions', { model: 'echo', messages, ...checked })
      const under = { way: true }
      const large = waiting.finally(() => (under.way = false))
      do {
        const response = await server.post('/chat/completions', { model: 'echo', messages: short, ...checked })
        const text = await response.text()
        expect(response.status, text).to.equal(200)
        expect(text).to.contain('Mail <EMAIL_ADDRESS> today.')
        await setTimeout(100)
      } while (under.way)
      const response = await large
      const text = await response.text()
      const hasPassed = response.status === 200 || text.includes('leaves no room in the model')
      if (!hasPassed)
        expect([response.status, text]).to.be.deep.oneOf([
          [503, '{"error":"safeguard unavailable: injection"}'],
          [503, '{"error":"safeguard unavailable: pii"}'],
          [400, '{"error":"prompt injection detected"}'],
        ])
    })

  it('is no longer looked at when its sender has gone', async () => {
    const gone = new AbortController()
    const waiting = server.post('/toxicity', { text: texts[0][1] }, gone.signal).catch(() => undefined)
    await server.post('/toxicity', { text: 'Hello.' })
    gone.abort()
    expect(await waiting).to.equal(undefined)
    expect((await server.post('/toxicity', { text: 'Hello.' })).status).to.equal(200)
  })
})
