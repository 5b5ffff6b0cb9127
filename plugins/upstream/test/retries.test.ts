import { expect } from 'chai'
import { retryAfterOf, retryDelay } from '../src/client/retry.js'
import { Refusal } from '../src/client/refusal.js'
import { begun, cut, ends, hang, hello, refusal, says, streamed } from './support/answers.js'
import { collectChunks, loadModel } from './support/models.js'
import { listenSilently, serveEachTest, StandIn } from './support/stand-in.js'
import type { Answer } from './support/stand-in.js'

const server = new StandIn()

const status = (code: number, headers: Record<string, string> = {}) => refusal(code, { message: 'no' }, headers)
const headersOnly: Answer = (response, asked) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  setTimeout(() => cut(response, asked), 10)
}

describe('before the first byte', () => {
  serveEachTest(server)

  for (const [name, answer] of Object.entries<Answer>({
    'the status 429': status(429),
    'the status 502': status(502),
    'the status 503': status(503),
    'the status 504': status(504),
    'a cut connection': cut,
    'a connection cut after the headers': headersOnly,
  }))
    it(`${name} is tried again`, async () => {
      const model = await server.model([answer, answer, hello])
      expect((await model.answer()).text).to.equal('Hello')
      expect(server.asked).to.have.length(3)
    })

  for (const [name, answer] of Object.entries<Answer>({
    'the status 500': status(500),
    'the status 400': status(400),
    'the status 401': status(401),
    'an exhausted quota': refusal(429, { message: 'no', code: 'insufficient_quota' }),
    'bytes that are no answer': (_, { socket }) => socket.end('nonsense\r\n\r\n'),
  }))
    it(`${name} is final`, async () => {
      const model = await server.model([answer, hello])
      await model.failure()
      expect(server.asked).to.have.length(1)
    })

  it('tries are counted', async () => {
    const model = await server.model(status(503), { retries: { count: 4, delay: 0.001 } })
    await model.failure('model_unavailable')
    expect(server.asked).to.have.length(5)
  })

  it('Retry-After is honoured', async () => {
    const model = await server.model([status(429, { 'retry-after-ms': '1500' }), hello])
    const start = performance.now()
    await model.answer()
    expect(performance.now() - start).to.be.within(1495, 6000)
  })

  it('a Retry-After that is too long, or beyond the deadline, is passed on', async () => {
    const answer = status(429, { 'retry-after': '30' })
    const patient = await server.model(answer, { retries: { longest: 60 } })
    const { retryAfter } = await patient.failure('overloaded', {}, { deadline: Date.now() + 5000 })
    expect(retryAfter).to.equal(30)
    const impatient = await loadModel({ url: server.url, retries: { longest: 2 } })
    expect((await impatient.failure('overloaded')).retryAfter).to.equal(30)
    expect(server.asked).to.have.length(2)
  })

  it('a server that is not there makes model_unavailable with Retry-After', async () => {
    const { url } = server
    await server.close()
    const model = await loadModel({ url })
    const { retryAfter } = await model.failure('model_unavailable')
    expect(retryAfter).to.be.greaterThan(0)
  })

  it('a server that comes while it is waited for answers', async () => {
    const { port } = server
    const model = await loadModel({ url: server.url, retries: { count: 10, delay: 0.05 } })
    await server.close()
    const answer = model.answer()
    await new Promise((resolve) => setTimeout(resolve, 60))
    const late = await StandIn.listen(port)
    late.will(hello)
    expect((await answer).text).to.equal('Hello')
    await late.close()
  })

  it('an abort ends the waiting', async () => {
    const model = await loadModel({
      url: server.will(status(503, { 'retry-after': '20' })).url,
      retries: { longest: 30 },
    })
    const controller = new AbortController()
    const reason = new Error('gone')
    setTimeout(() => controller.abort(reason), 30)
    const start = performance.now()
    const error = await collectChunks(model.chat({}, { signal: controller.signal })).catch((thrown: unknown) => thrown)
    expect(error).to.equal(reason)
    expect(performance.now() - start).to.be.lessThan(5000)
  })
})

describe('time-outs', () => {
  serveEachTest(server)

  it('before the first byte are final', async () => {
    const model = await server.model(hang, { timeouts: { firstByte: 0.05 } })
    const { message } = await model.failure('upstream_failed')
    expect(message).to.match(/did not begin within 0\.05 seconds/)
    expect(server.asked).to.have.length(1)
  })

  it('before the first byte run on when only the headers have come', async () => {
    const answer: Answer = (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    const model = await server.model(answer, { timeouts: { firstByte: 0.05 } })
    await model.failure('upstream_failed')
  })

  it('hold between two parts', async () => {
    const stalled = begun(`data: ${JSON.stringify(says('a'))}\n\n`, hang)
    const model = await server.model(stalled, { timeouts: { idle: 0.05 } })
    const { message } = await model.failure('upstream_failed')
    expect(message).to.match(/nothing for 0\.05 seconds/)
  })

  it('between two parts do not run while the consumer is slow', async () => {
    const text = [says('a'), says('b'), ends()].map((value) => `data: ${JSON.stringify(value)}\n\n`).join('')
    const model = await server.model(streamed(text), { timeouts: { idle: 0.3 } })
    for await (const piece of model.chat()) {
      expect(piece).to.be.an('object')
      await new Promise((resolve) => setTimeout(resolve, 600))
    }
  })

  it('hold for the whole answer', async () => {
    const trickle: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const timer = setInterval(() => void response.write(`data: ${JSON.stringify(says('a'))}\n\n`), 5)
      response.on('close', () => clearInterval(timer))
    }
    const model = await server.model(trickle, { timeouts: { total: 0.1 } })
    const { message } = await model.failure('deadline_exceeded')
    expect(message).to.match(/longer than 0\.1 seconds/)
  })

  it('hold for the connection', async function () {
    this.timeout(6000)
    const silent = await listenSilently()
    const model = await loadModel({ url: silent.url, timeouts: { connect: 0.1 }, retries: { count: 0 } })
    await model.failure('model_unavailable')
    await silent.close()
  })
})

describe('the delay before a retry', () => {
  const retries = { count: 3, delay: 1, longest: 10 }
  const later = Infinity
  const refused = (code: number, retryAfter?: number) => new Refusal({ status: code, retryAfter }, '')

  it('doubles, and is jittered', () => {
    for (const [attempt, most] of [1, 2, 4].entries())
      expect(retryDelay(refused(503), attempt, retries, later)).to.be.within(most / 2, most)
    expect(retryDelay(refused(503), 3, retries, later)).to.equal(undefined)
  })

  it('is what the server asks for, at least', () => {
    expect(retryDelay(refused(503, 7), 0, retries, later)).to.equal(7)
    expect(retryDelay(refused(503, 11), 0, retries, later)).to.equal(undefined)
    expect(retryDelay(refused(503, 7), 0, retries, Date.now() + 6000)).to.equal(undefined)
  })

  it('is read from a number or a date', () => {
    const read = (headers: Record<string, string>) =>
      retryAfterOf((name) => headers[name], Date.parse('2030-01-01T00:00:00Z'))
    expect(read({ 'retry-after': '12' })).to.equal(12)
    expect(read({ 'retry-after': '1.5' })).to.equal(1.5)
    expect(read({ 'retry-after': 'Tue, 01 Jan 2030 00:00:20 GMT' })).to.equal(20)
    expect(read({ 'retry-after': 'Mon, 31 Dec 2029 00:00:00 GMT' })).to.equal(0)
    expect(read({ 'retry-after': 'soon' })).to.equal(undefined)
    expect(read({ 'retry-after': '5', 'retry-after-ms': '20' })).to.equal(0.02)
    expect(read({})).to.equal(undefined)
  })
})
