import { Readable } from 'node:stream'
import { Pacer } from '@sallyport/kit/async'
import { expect } from 'chai'
import { errorOf } from '@sallyport/stand-ins/errors'
import { until } from '@sallyport/stand-ins/promises'
import { boundedLines } from '../src/transport/line-reader.js'
import { MessageRateLimit } from '../src/transport/message-rate-limit.js'
import { pacedChunks, refusingBatches } from '../src/transport/paced-body.js'
import { EventValueLimit, ValueLimit } from '../src/transport/value-limit.js'
import { startKernel, stopAll } from './support/kernels.js'
import { sendJson, startSite } from './support/site.js'
import type { Answer } from './support/site.js'

const pacer = () => new Pacer({ signal: new AbortController().signal, tenant: 'odd' })

const working = (milliseconds: number) => {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

/** How often others had a turn of the event loop. */
const turnsWhile = async (items: AsyncIterable<unknown>): Promise<number> => {
  let [turns, over] = [0, false]
  const count = () => {
    turns += 1
    if (!over) setImmediate(count)
  }
  setImmediate(count)
  for await (const item of items) if (item) working(1)
  over = true
  return turns
}

const bodyOf = (...chunks: string[]) => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk))
      controller.close()
    },
  })
  return body.getReader()
}

const list = (values: number) => `[${'1,'.repeat(values - 1)}1]`

const faultOf = (take: () => void): string => {
  try {
    take()
    return ''
  } catch (error) {
    return String(error)
  }
}

describe('what servers send much of', function () {
  this.timeout(60_000)
  afterEach(stopAll)

  it('is read in turns with other work', async () => {
    const lines = boundedLines(Readable.from([Buffer.from('x\n'.repeat(200))]), 1000, pacer())
    expect(await turnsWhile(lines)).to.be.greaterThan(5)
    const chunks = pacedChunks(bodyOf('x'.repeat(4096 * 200)), new ValueLimit(), pacer())
    expect(await turnsWhile(chunks)).to.be.greaterThan(5)
  })

  for (const [what, Bound, text, refused] of [
    ['a list', ValueLimit, list(200_001), true],
    ['a shorter one', ValueLimit, list(199_999), false],
    ['objects', ValueLimit, '{'.repeat(200_001), true],
    ['a text with commas', ValueLimit, `"${','.repeat(300_000)}"`, false],
    ['a text with quotes', ValueLimit, `"${'\\",'.repeat(300_000)}"`, false],
    ['a text that ends with a backslash', ValueLimit, `["\\\\",${list(200_001)}]`, true],
    ['empty lines between values', ValueLimit, list(200_001).replaceAll(',', ',\n\n'), true],
    ['an event', EventValueLimit, `data: ${list(220_000)}\n\n`, true],
    ['several events', EventValueLimit, `data: ${list(100_001)}\n\n`.repeat(3), false],
    ['several events with CR and LF', EventValueLimit, `data: ${list(100_001)}\r\n\r\n`.repeat(3), false],
    ['an event in lines', EventValueLimit, `data: ${list(100_001)}\r\n`.repeat(3), true],
    ['an event behind half of a text', EventValueLimit, `id: "\\\ndata: ${list(220_000)}\n\n`, true],
  ] as const)
    it(`is ${refused ? 'refused' : 'taken'} as values of a message: ${what}`, () => {
      const bound = new Bound()
      const bytes = Buffer.from(text)
      const fault = faultOf(() => {
        for (let start = 0; start < bytes.length; start += 4096) bound.take(bytes.subarray(start, start + 4096))
      })
      expect(fault.includes('more than 200000 values')).to.equal(refused)
    })

  for (const text of ['[]', ' \n\t[', '\ufeff['])
    it(`is refused as a batch: ${JSON.stringify(text)}`, async () => {
      const chunks = refusingBatches(Readable.from(Array.from(text, (character) => Buffer.from(character))))
      const fault = await turnsWhile(chunks).then(() => '', String)
      expect(fault).to.contain('a batch of messages')
    })

  const event = (message: unknown) => `data: ${JSON.stringify(message)}\n\n`
  const flood =
    (message: object | number): Answer =>
    (response, { id }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event(message).repeat(50_000))
      response.end(event({ jsonrpc: '2.0', id, result: { content: [] } }))
    }

  for (const [what, message] of Object.entries({
    'log messages': { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } },
    progress: { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 2, progress: 1 } },
    'requests of its own': { jsonrpc: '2.0', id: 'x', method: 'ping' },
    answers: { jsonrpc: '2.0', id: 99_999, result: {} },
    'events that are no messages': 42,
  }))
    it(`has a site cut off, and asked again: ${what}`, async () => {
      const site = await startSite({ 'tools/call': flood(message) })
      const { tools } = await startKernel({ servers: { odd: { url: site.url, timeout: 30 } } })
      const call = () => tools.call({ server: 'odd', name: 'echo', arguments: { text: 'hello' } })
      const { message: problem } = await errorOf(call(), 'upstream_failed')
      expect(problem).to.contain('the tool server odd sent more than 25000 messages in 10 seconds')
      site.answers = {}
      await until(async () => (await call().catch(() => undefined))?.output === 'hello')
    })

  for (const [when, later] of [
    ['at once', 0],
    ['later', 20_000],
  ] as const)
    it(`may be answers to many calls, ${when}, but no more than these`, () => {
      const now = performance.now.bind(performance)
      const limit = new MessageRateLimit(100)
      for (let id = 0; id < 300; id += 1) limit.expectResponse()
      performance.now = () => now() + later
      try {
        const faults = Array.from({ length: 401 }, (_, id) => limit.count({ jsonrpc: '2.0', id, result: {} }))
        expect(faults.findIndex(Boolean)).to.equal(400)
      } finally {
        performance.now = now
      }
    })

  it('may be answers to many calls of a server', async () => {
    const site = await startSite({
      'tools/list': (response, { id }) =>
        sendJson(response, { jsonrpc: '2.0', id, result: { tools: [{ name: 'echo', inputSchema: {} }] } }),
    })
    const { tools } = await startKernel({ servers: { odd: { url: site.url, maxMessages: 100 } } })
    const calls = Array.from({ length: 300 }, () =>
      tools.call({ server: 'odd', name: 'echo', arguments: { text: 'x' } }),
    )
    expect((await Promise.all(calls)).map(({ output }) => output)).to.deep.equal(calls.map(() => 'x'))
  })
})
