import { expect } from 'chai'
import fc from 'fast-check'
import { testCall, collectChunks } from '@sallyport/testing'
import { until } from '@sallyport/stand-ins/promises'
import { rejection } from '@sallyport/stand-ins/errors'
import { pause, range } from './fixtures/calls.js'
import { rawClient, rawServer } from './fixtures/ends.js'
import { handlers } from './fixtures/handlers.js'

const call = (id: number, method: string, payload?: unknown) => ({ type: 'call', id, method, payload, credit: 64 })

describe('malformed frames', function () {
  this.timeout(10_000)

  it('are refused by the server, which serves on', async () => {
    const anything = fc.oneof(
      fc.anything(),
      fc.record(
        {
          type: fc.constantFrom('call', 'cancel', 'credit', 'ping', 'chunk', 'end', 'load', ''),
          id: fc.oneof(fc.nat(5), fc.anything()),
          method: fc.oneof(fc.constantFrom('echo', 'count', '__proto__'), fc.anything()),
          payload: fc.constant({ chunks: 3 }),
          credit: fc.oneof(fc.integer(), fc.anything()),
          chunks: fc.oneof(fc.integer(), fc.anything()),
          timeout: fc.oneof(fc.integer({ max: 10 }), fc.anything()),
        },
        { requiredKeys: ['type'] },
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(anything, { maxLength: 20 }), async (frames) => {
        const { send, received } = rawClient(handlers())
        send(...frames, call(77, 'echo', 'still here'))
        await until(() => received.some((frame) => (frame as { id?: number }).id === 77))
        expect(received).to.deep.include({ type: 'end', id: 77, payload: 'still here' })
      }),
      { numRuns: 80 },
    )
  })

  it('are answered where the call is known', async () => {
    const { send, received } = rawClient(handlers())
    send({ ...call(5, 'echo'), credit: -1 }, { type: 'call', id: 6 })
    await until(() => received.filter((frame) => (frame as { type: string }).type === 'error').length === 2)
    const error = { code: 'invalid_request', details: { problem: 'malformed call frame' } }
    expect(received).to.deep.include({ type: 'error', id: 5, error }).and.deep.include({ type: 'error', id: 6, error })
  })

  it('a second call of the same id harms the first one in no way', async () => {
    const { send, received } = rawClient(handlers())
    send(call(1, 'later', { after: 10 }), call(1, 'refuse'), { ...call(1, 'echo'), credit: 'much' })
    await until(() => received.some((frame) => (frame as { type: string }).type === 'end'))
    expect(received.filter((frame) => (frame as { id?: number }).id === 1)).to.have.length(1)
  })

  it('are ignored by the client', async () => {
    const known = ['chunk', 'end', 'error', 'log', 'heartbeat', 'ready', '']
    const anything = fc.oneof(
      fc.anything(),
      fc.record({
        type: fc.constantFrom(...known),
        // 1 is the call that is waited for
        id: fc.anything().filter((id) => id !== 1),
        payloads: fc.anything(),
        error: fc.anything(),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(anything, { maxLength: 20 }), async (frames) => {
        const { send, connection, received } = rawServer()
        const answer = connection.call('echo', 1, testCall())
        await until(() => received.length === 1)
        send(...frames, { type: 'end', id: 1, payload: 'still here' })
        expect(await answer).to.equal('still here')
        connection.close()
      }),
      { numRuns: 80 },
    )
  })

  it('an error that the table does not know becomes internal', async () => {
    for (const error of [
      { code: 'from_the_future', details: {} },
      { code: 'toString' },
      { code: 'method_not_allowed' },
      {},
    ]) {
      const { send, connection } = rawServer()
      const failed = rejection(connection.call('echo', 1, testCall()))
      await pause(5)
      send({ type: 'error', id: 1, error })
      expect(await failed).to.include({ code: 'internal' })
    }
  })

  it('more chunks than there was credit for end the stream', async () => {
    const { send, connection, problems, received } = rawServer()
    const stream = connection.stream('count', {}, testCall())
    const first = stream.next()
    await until(() => received.length === 1)
    send({ type: 'chunk', id: 1, payloads: range(1000) })
    expect(await rejection(first)).to.include({ code: 'internal' })
    expect(problems).to.have.length(1)
    await until(() => received.length === 2)
    expect(received[1]).to.deep.equal({ type: 'cancel', id: 1 })
  })
})

describe('messages', () => {
  it('carry all that is ready in one turn, chunks of a stream in one frame', async () => {
    const { send, received, messages } = rawClient(handlers())
    send(call(1, 'count', { chunks: 40 }), call(2, 'count', { chunks: 20 }), call(3, 'echo', 'x'))
    await until(() => received.length === 5)
    expect(messages()).to.equal(1)
    expect(received).to.deep.include({ type: 'chunk', id: 1, payloads: range(40) })
    expect(received).to.deep.include({ type: 'chunk', id: 2, payloads: range(20) })
  })

  it('do not wait for more: a chunk alone leaves in its turn', async () => {
    const { send, received, messages } = rawClient(handlers())
    send(call(1, 'count', { chunks: 5, pace: 'turns' }))
    await until(() => received.length >= 5)
    expect(messages()).to.be.within(5, 6)
  })

  it('return credit by half windows', async () => {
    const { send, received, connection } = rawServer()
    const stream = connection.stream('count', {}, testCall())
    const first = stream.next()
    await until(() => received.length === 1)
    expect(received[0]).to.include({ type: 'call', credit: 64 })
    send({ type: 'chunk', id: 1, payloads: range(64) })
    await first
    for (let read = 1; read < 31; read += 1) await stream.next()
    await pause(5)
    expect(received).to.have.length(1)
    await stream.next()
    await until(() => received.length === 2)
    expect(received[1]).to.deep.equal({ type: 'credit', id: 1, chunks: 32 })
    send({ type: 'end', id: 1 })
    await pause(5)
    await collectChunks(stream)
    await pause(5)
    expect(received, 'an ended stream needs no credit').to.have.length(2)
  })

  it('a cancel goes out at once', async () => {
    const { received, connection } = rawServer()
    const controller = new AbortController()
    const failed = rejection(connection.call('wait', 1, testCall({ signal: controller.signal })))
    await until(() => received.length === 1)
    controller.abort()
    await failed
    await new Promise((resolve) => setImmediate(resolve))
    expect(received[1]).to.deep.equal({ type: 'cancel', id: 1 })
  })
})

describe('heartbeats', function () {
  this.timeout(10_000)

  it('answer a ping', async () => {
    const { send, received } = rawClient(handlers())
    send({ type: 'ping' })
    await until(() => received.length === 1)
    expect(received).to.deep.equal([{ type: 'heartbeat' }])
  })

  it('come in silence while a call is in flight, and only then', async () => {
    const { send, received } = rawClient(handlers())
    const heartbeats = () => received.filter((frame) => (frame as { type: string }).type === 'heartbeat').length
    await pause(450)
    expect(received).to.deep.equal([])
    send({ ...call(1, 'count', { chunks: 1e6, pace: 'timers' }), credit: 1e6 })
    await pause(900)
    send({ type: 'cancel', id: 1 })
    await until(() => received.some((frame) => (frame as { type: string }).type === 'error'))
    expect(heartbeats(), 'chunks speak for themselves').to.equal(0)
    send(call(2, 'wait'))
    await until(() => heartbeats() > 0)
    send({ type: 'cancel', id: 2 })
    await pause(20)
    const before = heartbeats()
    await pause(450)
    expect(heartbeats()).to.equal(before)
  })

  it('missing ones, pings unanswered, end the connection', async () => {
    const { received, connection } = rawServer(200)
    const started = performance.now()
    const error = await rejection(connection.call('echo', 1, testCall()))
    expect(error).to.include({ code: 'model_unavailable' })
    expect((error as Error).message).to.contain('did not answer for 0.')
    expect(performance.now() - started).to.be.within(190, 1500)
    expect(connection.hung).to.equal(true)
    expect(received).to.deep.include({ type: 'ping' })
  })

  it('any frame counts as one, and a call may allow for more silence', async () => {
    const { send, connection } = rawServer(800)
    const loading = connection.call('load', 1, testCall(), 10_000)
    await pause(1200)
    expect(connection.hung).to.equal(false)
    send({ type: 'end', id: 1 })
    await loading
    const call = connection.call('echo', 1, testCall())
    for (let beats = 0; beats < 12; beats += 1) {
      await pause(100)
      send({ type: 'heartbeat' })
    }
    send({ type: 'end', id: 2, payload: 'there' })
    expect(await call).to.equal('there')
    connection.close()
  })

  it('an idle connection is probed as well', async () => {
    const { connection } = rawServer(200)
    await pause(450)
    expect(connection.hung).to.equal(true)
  })
})
