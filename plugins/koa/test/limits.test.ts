import { expect } from 'chai'
import type { SallyportError } from '@sallyport/core'
import { until } from '@sallyport/stand-ins/promises'
import { Admission } from '../src/limits/admission.js'
import { completeOptions } from '../src/options.js'
import type { ServerOptionsInput } from '../src/options.js'
import { testKernel } from './support/kernel.js'
import type { TestModel } from './support/kernel.js'
import { openRaw, withServer } from './support/server.js'

const admission = (limits: NonNullable<ServerOptionsInput['limits']>) =>
  new Admission(completeOptions({ limits }).limits)

/** Work that ends when it is told to. */
const work = () => {
  let end: () => void = () => undefined
  const done = new Promise<void>((resolve) => (end = resolve))
  return { run: () => done, end }
}

const never = new AbortController().signal

const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: unknown) => (error as SallyportError).code,
  )

describe('admission', () => {
  it('runs so many, lets so many wait, and turns the rest away', async () => {
    const gate = admission({ concurrency: 2, queue: 1 })
    const works = [work(), work(), work()]
    const results = works.map(({ run }) => gate.run('a', never, run))
    expect(gate.load).to.deep.equal({ running: 2, waiting: 1 })
    expect(() => gate.refuseIfFull('a')).to.throw('too many requests are waiting')
    expect(await outcome(gate.run('a', never, () => Promise.resolve()))).to.equal('overloaded')
    for (const { end } of works) end()
    await Promise.all(results)
    expect(gate.load).to.deep.equal({ running: 0, waiting: 0 })
  })

  it('says when to try again, in whole seconds', async () => {
    const gate = admission({ concurrency: 1, queue: 0 })
    const busy = work()
    const running = gate.run('a', never, busy.run)
    const error = await gate
      .run('a', never, () => Promise.resolve())
      .catch((reason: unknown) => reason as SallyportError)
    expect(error).to.have.property('retryAfter').that.satisfies(Number.isInteger)
    busy.end()
    await running
  })

  it('lets tenants take turns', async () => {
    const gate = admission({ concurrency: 1, queue: 10 })
    const order: string[] = []
    const busy = work()
    const running = gate.run('a', never, busy.run)
    const queued = ['a', 'a', 'a', 'b'].map((tenant) =>
      gate.run(tenant, never, () => Promise.resolve(void order.push(tenant))),
    )
    busy.end()
    await Promise.all([running, ...queued])
    expect(order).to.deep.equal(['b', 'a', 'a', 'a'])
  })

  it('turns away the one that asks for much before the one that asks for little', async () => {
    const gate = admission({ concurrency: 1, queue: 3 })
    const busy = work()
    const running = gate.run('greedy', never, busy.run)
    const greedy = Array.from({ length: 3 }, () => outcome(gate.run('greedy', never, () => Promise.resolve())))
    expect(() => gate.refuseIfFull('modest')).not.to.throw()
    const modest = outcome(gate.run('modest', never, () => Promise.resolve()))
    expect(() => gate.refuseIfFull('greedy')).to.throw()
    expect(await greedy[2]).to.equal('overloaded')
    busy.end()
    await running
    expect(await Promise.all([greedy[0], greedy[1], modest])).to.deep.equal(['done', 'done', 'done'])
  })

  const refusals: { name: string; limits: object; ofOwn: boolean; code: string; problem: RegExp }[] = [
    {
      name: 'its own share, where that is what it waits for',
      limits: { concurrency: 3, queue: 0, perKey: 1 },
      ofOwn: true,
      code: 'rate_limited',
      problem: /^this key runs 1 request, its share: wait for one to end$/,
    },
    {
      name: 'its own share, when it has waited long enough',
      limits: { concurrency: 3, queue: 5, perKey: 1, wait: 0.02 },
      ofOwn: true,
      code: 'rate_limited',
      problem: /^this key runs/,
    },
    {
      name: 'everybody’s requests, where others take the places',
      limits: { concurrency: 1, queue: 0, perKey: 1 },
      ofOwn: false,
      code: 'overloaded',
      problem: /^too many requests are waiting/,
    },
  ]
  for (const { name, limits, ofOwn, code, problem } of refusals)
    it(`tells whom it turns away why: ${name}`, async () => {
      const gate = admission(limits)
      const busy = work()
      const running = gate.run(ofOwn ? 'a' : 'b', never, busy.run)
      const [refused] = await Promise.allSettled([gate.run('a', never, () => Promise.resolve())])
      expect(refused).to.have.nested.property('reason.code', code)
      expect(refused).to.have.nested.property('reason.message').that.matches(problem)
      expect(refused).to.have.nested.property('reason.retryAfter').that.satisfies(Number.isInteger)
      busy.end()
      await running
    })

  it('keeps to the limit of each key without holding up the others', async () => {
    const gate = admission({ concurrency: 3, queue: 5, perKey: 1 })
    const busy = work()
    const running = gate.run('a', never, busy.run)
    const waiting = outcome(gate.run('a', never, () => Promise.resolve()))
    expect(await outcome(gate.run('b', never, () => Promise.resolve()))).to.equal('done')
    expect(gate.load).to.deep.equal({ running: 1, waiting: 1 })
    busy.end()
    expect(await waiting).to.equal('done')
    await running
  })

  it('forgets who goes away while waiting', async () => {
    const gate = admission({ concurrency: 1, queue: 5 })
    const busy = work()
    const running = gate.run('a', never, busy.run)
    const client = new AbortController()
    let ran = false
    const waiting = gate.run('a', client.signal, () => Promise.resolve((ran = true))).catch((reason: unknown) => reason)
    client.abort(new Error('gone'))
    expect(await waiting).to.have.property('message', 'gone')
    expect(gate.load.waiting).to.equal(0)
    busy.end()
    await running
    expect(ran).to.equal(false)
  })

  it('lets nobody wait for ever', async () => {
    const gate = admission({ concurrency: 1, queue: 5, wait: 0.03 })
    const busy = work()
    const running = gate.run('a', never, busy.run)
    expect(await outcome(gate.run('a', never, () => Promise.resolve()))).to.equal('overloaded')
    busy.end()
    await running
  })
})

describe('a busy server', () => {
  const started: AbortSignal[] = []
  const holding: TestModel = {
    id: 'holding',
    services: {
      chat: {
        stream: async function* (_, { signal }) {
          started.push(signal)
          await new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
          )
          yield { finish: 'stop' }
        },
      },
    },
  }

  it('answers 429 with Retry-After, answers health checks, and frees places when clients go', async () => {
    started.length = 0
    await withServer(await testKernel([holding]), { limits: { concurrency: 1, queue: 1 } }, async (server) => {
      const clients = [new AbortController(), new AbortController()]
      const ask = (signal?: AbortSignal) =>
        fetch(`${server.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'holding', messages: 'hi' }),
          ...(signal ? { signal } : {}),
        })
      const first = ask(clients[0]!.signal).catch(() => 'cut')
      await until(() => started.length === 1)
      const second = ask(clients[1]!.signal).catch(() => 'cut')
      // Until the second one waits, a further one would wait in its place.
      let refused: Response | undefined
      for (let round = 0; round < 20 && refused?.status !== 429; round += 1)
        refused = await ask(AbortSignal.timeout(300)).catch(() => undefined)
      expect(refused?.status).to.equal(429)
      expect(refused?.headers.get('retry-after')).to.match(/^(?:[1-9]|[1-5]\d|60)$/)
      expect(await refused?.json()).to.have.nested.property('error.type', 'rate_limit_error')
      expect((await fetch(`${server.url}/healthz`)).status).to.equal(200)
      clients[0]!.abort()
      await until(() => started.length === 2)
      expect(started[0]!.aborted).to.equal(true)
      expect((started[0]!.reason as SallyportError).code).to.equal('client_closed')
      clients[1]!.abort()
      await until(() => started[1]!.aborted)
      expect(await Promise.all([first, second])).to.deep.equal(['cut', 'cut'])
    })
  })

  it('keeps an eighth of its places for other keys', async () => {
    started.splice(0)
    const limits = { concurrency: 8, queue: 0 }
    await withServer(await testKernel([holding]), { limits }, async (server) => {
      const gone = new AbortController()
      const ask = (key: string) =>
        fetch(`${server.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'holding', messages: 'hi' }),
          signal: gone.signal,
        })
      const held = Array.from({ length: 7 }, () => ask(server.key).catch(() => 'cut'))
      await until(() => started.length === 7)
      const refused = await ask(server.key)
      expect(refused.status).to.equal(429)
      expect(await refused.json())
        .to.have.nested.property('error.message')
        .that.contains('this key runs 7 requests')
      held.push(ask(server.keys.create({ name: 'other' }).key).catch(() => 'cut'))
      await until(() => started.length === 8)
      gone.abort()
      await Promise.all(held)
    })
  })

  it('stops the model when a connection is cut in mid-stream', async () => {
    let signal: AbortSignal | undefined
    let ended = false
    let said = 0
    const talker: TestModel = {
      id: 'talker',
      services: {
        chat: {
          stream: async function* (_, call) {
            signal = call.signal
            try {
              for (;;) {
                signal.throwIfAborted()
                yield { delta: 'word ' }
                said += 1
                await new Promise((resolve) => setTimeout(resolve, 2))
              }
            } finally {
              ended = true
            }
          },
        },
      },
    }
    await withServer(await testKernel([talker]), {}, async (server) => {
      const body = JSON.stringify({ model: 'talker', messages: 'hi', stream: true })
      const connection = await openRaw(server.url)
      connection.write(
        `POST /chat/completions HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${server.key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
      await connection.until('word')
      const before = said
      connection.socket.destroy()
      await until(() => ended)
      expect(signal!.aborted).to.equal(true)
      expect(said - before).to.be.below(200)
    })
  })

  it('cuts off a reader that takes nothing, and stops the model', async () => {
    let ended = false
    const flood: TestModel = {
      id: 'flood',
      services: {
        chat: {
          stream: async function* () {
            try {
              for (;;) {
                await Promise.resolve()
                yield { delta: 'x'.repeat(100_000) }
              }
            } finally {
              ended = true
            }
          },
        },
      },
    }
    await withServer(await testKernel([flood]), { timeouts: { slowReader: 0.2 } }, async (server) => {
      const body = JSON.stringify({ model: 'flood', messages: 'hi', stream: true })
      const connection = await openRaw(server.url)
      connection.socket.pause()
      connection.write(
        `POST /chat/completions HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${server.key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
      await until(() => ended)
      connection.socket.destroy()
    })
  })
})
