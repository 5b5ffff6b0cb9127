/** What the protocol promises, whatever carries it. */

import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import { isSallyportError } from '@sallyport/core'
import { testCall, collectChunks } from '@sallyport/testing'
import { until } from '@sallyport/stand-ins/promises'
import { rejection } from '@sallyport/stand-ins/errors'
import { pause, range } from './fixtures/calls.js'
import type { Stats } from './fixtures/handlers.js'
import type { Link } from './fixtures/links.js'

type Case = (link: Link) => Promise<void>

const stats = async ({ connection }: Link) => (await connection.call('stats', undefined, testCall())) as Stats

const count = ({ connection }: Link, chunks: number, call = testCall(), pace = 'at once') =>
  connection.stream('count', { chunks, pace }, call)

const expectCode = (error: unknown, code: string) => {
  expect(isSallyportError(error), String(error)).to.equal(true)
  expect(error).to.include({ code })
}

const calls: Record<string, Case> = {
  'a call gets its answer': async ({ connection }) => {
    const payload = { text: 'naïve 🙂', list: [1, NaN, -0, Infinity], missing: undefined, big: 10n }
    expect(await connection.call('echo', payload, testCall())).to.deep.equal(payload)
  },

  'calls side by side get their own answers': async ({ connection }) => {
    const answers = range(50).map((index) =>
      connection
        .call('later', { index, after: (index * 7) % 11 }, testCall())
        .then((answer) => answer as { index: number }),
    )
    expect((await Promise.all(answers)).map(({ index }) => index)).to.deep.equal(range(50))
  },

  'who asks, for whom and until when arrives': async ({ connection }) => {
    const call = testCall({ deadline: Date.now() + 5000, requestId: 'r', tenant: 't' })
    const arrived = (await connection.call('call', undefined, call)) as { left: number }
    expect(arrived).to.include({ requestId: 'r', tenant: 't' })
    expect(arrived.left).to.be.within(4000, 5000)
    expect(await connection.call('call', undefined, testCall({ deadline: Infinity }))).to.include({ left: Infinity })
  },

  'typed arrays stay what they are': async ({ connection }) => {
    const whole = Float32Array.from(range(100), (value) => value / 3)
    const payload = { whole, part: whole.subarray(10, 20), bytes: Uint8Array.of(1, 2, 255), ids: new Int32Array(0) }
    const answer = (await connection.call('echo', payload, testCall())) as typeof payload
    expect(answer.whole).to.be.instanceOf(Float32Array)
    expect(answer).to.deep.equal(payload)
    const vectors = await collectChunks(connection.stream('vectors', 40, testCall()))
    expect(vectors).to.deep.equal(range(40).map((index) => ({ vector: Float32Array.of(index, 0.5, -index) })))
  },

  'megabytes pass in one chunk': async ({ connection }) => {
    const bytes = new Uint8Array(8 << 20).fill(7)
    bytes[bytes.length - 1] = 9
    const answer = (await connection.call('echo', { bytes }, testCall())) as { bytes: Uint8Array }
    expect(Buffer.compare(answer.bytes, bytes)).to.equal(0)
  },

  'nothing is shared': async ({ connection }) => {
    const payload = { list: [1] }
    const answer = connection.call('echo', payload, testCall())
    await new Promise((resolve) => setImmediate(resolve))
    payload.list.push(2)
    expect(await answer).to.deep.equal({ list: [1] })
  },
}

const errors: Record<string, Case> = {
  'errors of the table arrive with details and retry time': async ({ connection }) => {
    const refused = await rejection(connection.call('refuse', undefined, testCall()))
    expect(refused).to.include({ code: 'overloaded', message: 'the queue is full', retryAfter: 7 })
    const thrown = await rejection(connection.call('throwSynchronously', undefined, testCall()))
    expectCode(thrown, 'context_exceeded')
    expect(thrown).to.have.deep.property('details', { tokens: 5, limit: 4 })
  },

  'what a library says goes to the log and no further': async ({ connection, logged }) => {
    const error = await rejection(connection.call('breakDown', undefined, testCall({ requestId: 'r-9' })))
    expectCode(error, 'internal')
    expect((error as Error).message)
      .to.contain('r-9')
      .and.not.contain('libmodel')
    expect(logged).to.have.length(1)
    expect(logged[0]).to.include({ level: 'error' })
    const { fields } = logged[0]!
    expect(fields).to.deep.include({ method: 'breakDown', requestId: 'r-9' })
    expect(JSON.stringify(fields)).to.contain('libmodel.so').and.contain('handlers.')
  },

  'a stream that fails yields what came before': async ({ connection }) => {
    const seen: unknown[] = []
    const read = async () => {
      for await (const chunk of connection.stream('breakAfter', 100, testCall())) seen.push(chunk)
    }
    expectCode(await rejection(read()), 'internal')
    expect(seen).to.deep.equal(range(100))
  },

  'unknown methods are refused, the inherited ones too': async ({ connection }) => {
    for (const method of ['nothing', 'constructor', '__proto__', 'toString', ''])
      expectCode(await rejection(connection.call(method, undefined, testCall())), 'unsupported')
    expectCode(await rejection(collectChunks(connection.stream('nothing', undefined, testCall()))), 'unsupported')
  },

  'what cannot be copied is an error on either side': async ({ connection, logged }) => {
    const others = connection.call('echo', 'unharmed', testCall())
    expectCode(await rejection(connection.call('echo', { run: () => 1 }, testCall())), 'internal')
    expectCode(await rejection(connection.call('forget', undefined, testCall())), 'internal')
    const stream = connection.stream('yieldFunction', undefined, testCall())
    expect(await stream.next()).to.deep.equal({ value: 'fine', done: false })
    expectCode(await rejection(stream.next()), 'internal')
    expect(await others).to.equal('unharmed')
    expect(logged.map(({ message }) => message).join()).to.contain('only plain data')
  },

  'a stream method that is called fails, and stops': async (link) => {
    expectCode(await rejection(link.connection.call('count', { chunks: 1e6 }, testCall())), 'internal')
    await until(async () => (await stats(link)).finished === 1)
  },
}

const streams: Record<string, Case> = {
  'ten thousand chunks arrive in order': async (link) => {
    expect(await collectChunks(count(link, 10_000))).to.deep.equal(range(10_000))
    expect(await stats(link)).to.deep.equal({ produced: 10_000, finished: 1, aborted: [] })
  },

  'streams side by side keep their orders': async (link) => {
    const paces = ['at once', 'microtasks', 'turns', 'timers']
    const results = await Promise.all(paces.map((pace) => collectChunks(count(link, 300, testCall(), pace))))
    for (const result of results) expect(result).to.deep.equal(range(300))
  },

  'an empty stream ends': async (link) => {
    expect(await collectChunks(count(link, 0))).to.deep.equal([])
  },

  'reads ahead are answered in order': async (link) => {
    const stream = count(link, 3)
    const results = await Promise.all([stream.next(), stream.next(), stream.next(), stream.next(), stream.next()])
    expect(results.map(({ value }) => value as unknown)).to.deep.equal([0, 1, 2, undefined, undefined])
    expect(results.map(({ done }) => done)).to.deep.equal([false, false, false, true, true])
  },

  'nothing runs before the first read': async (link) => {
    const unread = count(link, 10)
    await unread.return?.()
    expect(await unread.next()).to.deep.equal({ value: undefined, done: true })
    expect(await stats(link)).to.include({ produced: 0 })
  },

  'a slow reader has at most the window ahead of it': async (link) => {
    const stream = count(link, 1000)
    for (const index of range(10)) expect((await stream.next()).value).to.equal(index)
    await pause(30)
    expect((await stats(link)).produced).to.be.within(64, 65)
    for (const index of range(30)) expect((await stream.next()).value).to.equal(10 + index)
    await pause(30)
    expect((await stats(link)).produced).to.be.within(96, 104)
    expect(await collectChunks(stream)).to.have.length(960)
  },

  'leaving the loop stops the generator': async (link) => {
    const signal = new AbortController().signal
    for await (const chunk of count(link, 1e9, testCall({ signal }))) if (chunk === 99) break
    await until(async () => (await stats(link)).finished === 1)
    const { produced, aborted } = await stats(link)
    expect(produced).to.be.at.most(100 + 65)
    expect(aborted).to.deep.equal(['client_closed'])
    expect(link.connection.pendingCount).to.equal(0)
    expect(getEventListeners(signal, 'abort')).to.deep.equal([])
  },
}

const endings: Record<string, Case> = {
  'an abort ends a stream at once, with its reason': async (link) => {
    const controller = new AbortController()
    const seen: unknown[] = []
    const read = async () => {
      for await (const chunk of count(link, 1e9, testCall({ signal: controller.signal }), 'turns')) seen.push(chunk)
    }
    const reading = rejection(read())
    await until(() => seen.length >= 20)
    const reason = new Error('the client has gone')
    controller.abort(reason)
    const seenBefore = seen.length
    expect(await reading).to.equal(reason)
    expect(seen.length).to.equal(seenBefore)
    await until(async () => (await stats(link)).finished === 1)
  },

  'an abort ends a call that waits': async (link) => {
    const controller = new AbortController()
    const waiting = rejection(link.connection.call('wait', undefined, testCall({ signal: controller.signal })))
    await pause(20)
    controller.abort()
    expect(await waiting).to.have.property('name', 'AbortError')
    await until(async () => (await stats(link)).aborted.length === 1)
    expect(link.logged, 'an abort is no fault').to.deep.equal([])
    expect(getEventListeners(controller.signal, 'abort')).to.deep.equal([])
  },

  'an abort ends a generator that waits for credit': async (link) => {
    const controller = new AbortController()
    const stream = count(link, 1e9, testCall({ signal: controller.signal }))
    await stream.next()
    await until(async () => (await stats(link)).produced >= 64)
    controller.abort()
    await until(async () => (await stats(link)).finished === 1)
    expect(await rejection(stream.next()), 'what was buffered is dropped').to.have.property('name', 'AbortError')
    expect(await stream.next()).to.include({ done: true })
  },

  'what is aborted already is not sent': async (link) => {
    const call = testCall({ signal: AbortSignal.abort() })
    expect(await rejection(link.connection.call('count', {}, call))).to.have.property('name', 'AbortError')
    expect(await rejection(collectChunks(count(link, 5, call)))).to.have.property('name', 'AbortError')
    expect(await stats(link)).to.include({ produced: 0 })
  },

  'the deadline holds on the serving side': async (link) => {
    const call = testCall({ deadline: Date.now() + 40 })
    expectCode(await rejection(link.connection.call('wait', undefined, call)), 'deadline_exceeded')
    expect((await stats(link)).aborted).to.deep.equal(['deadline_exceeded'])
  },

  'when the other side goes away every call fails': async (link) => {
    const { connection } = link
    const call = rejection(connection.call('wait', undefined, testCall()))
    const stream = connection.stream('count', { chunks: 1e9, pace: 'timers' }, testCall())
    await stream.next()
    const started = performance.now()
    link.breakOff()
    expectCode(await call, 'model_unavailable')
    expectCode(await rejection(collectChunks(stream)), 'model_unavailable')
    expect(performance.now() - started).to.be.below(1000)
    expect(connection.pendingCount).to.equal(0)
    expectCode(await rejection(connection.call('echo', 1, testCall())), 'model_unavailable')
    expectCode(await rejection(collectChunks(connection.stream('count', {}, testCall()))), 'model_unavailable')
  },

  'closing here fails the calls in flight': async ({ connection }) => {
    const call = rejection(connection.call('wait', undefined, testCall()))
    connection.close()
    expectCode(await call, 'model_unavailable')
  },

  'idle waits for the calls in flight': async (link) => {
    const { connection } = link
    await connection.idle(new AbortController().signal)
    const call = connection.call('later', { after: 30 }, testCall())
    let answered = false
    void call.then(() => (answered = true))
    await connection.idle(new AbortController().signal)
    expect(connection.pendingCount).to.equal(0)
    await call
    expect(answered).to.equal(true)
    const waiting = rejection(connection.call('wait', undefined, testCall()))
    await connection.idle(AbortSignal.timeout(20))
    expect(connection.pendingCount).to.equal(1)
    connection.close()
    await waiting
  },
}

export const protocolCases: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  calls,
  errors,
  streams,
  endings,
}
