import { once } from 'node:events'
import { expect } from 'chai'
import { begun, hang, hello, says } from './support/answers.js'
import { collectChunks, loadModel } from './support/models.js'
import { listenSilently, serveEachTest, StandIn } from './support/stand-in.js'
import type { Answer } from './support/stand-in.js'

const server = new StandIn()

/** Milliseconds until the server has seen its connection closed. */
const closing = async (close: () => unknown): Promise<number> => {
  const closed = once(server.asked.at(-1)!.socket, 'close')
  const start = performance.now()
  close()
  await closed
  return performance.now() - start
}

/** Others on this machine make a try longer, and never shorter. */
const expectWithin = async (milliseconds: number, attempt: () => Promise<number>): Promise<void> => {
  let best = Infinity
  for (let tries = 0; tries < 10 && best >= milliseconds; tries += 1) best = Math.min(best, await attempt())
  expect(best).to.be.lessThan(milliseconds)
}

const data = `data: ${JSON.stringify(says('a'))}\n\n`
const trickle: Answer = begun(data, (response) => {
  const timer = setInterval(() => void response.write(data), 2)
  response.on('close', () => clearInterval(timer))
})

const start = async (answer: Answer) => {
  const model = await server.model(answer)
  const controller = new AbortController()
  const pieces = model.chat({}, { signal: controller.signal })[Symbol.asyncIterator]()
  return { pieces, controller, reason: new Error('gone') }
}

describe('an abort', () => {
  serveEachTest(server)

  it('in mid-stream closes the connection to the server within 50 ms', async () => {
    await expectWithin(50, async () => {
      const { pieces, controller, reason } = await start(trickle)
      await pieces.next()
      const time = await closing(() => controller.abort(reason))
      expect(await pieces.next().catch((error: unknown) => error)).to.equal(reason)
      return time
    })
  })

  it('while the first byte is awaited does so, too', async () => {
    await expectWithin(50, async () => {
      const before = server.asked.length
      const { pieces, controller, reason } = await start(hang)
      const next = pieces.next().catch((error: unknown) => error)
      while (server.asked.length === before) await new Promise((resolve) => setTimeout(resolve, 2))
      const time = await closing(() => controller.abort(reason))
      expect(await next).to.equal(reason)
      return time
    })
  })

  it('beforehand sends nothing', async () => {
    const { pieces, controller, reason } = await start(hello)
    controller.abort(reason)
    expect(await pieces.next().catch((error: unknown) => error)).to.equal(reason)
    expect(server.asked).to.have.length(0)
  })

  it('while the connection is being made ends the call at once', async () => {
    const silent = await listenSilently()
    const timeouts = { connect: 1, total: 0.05 }
    const model = await loadModel({ url: silent.url, retries: { count: 0 }, timeouts })
    await expectWithin(200, async () => {
      const controller = new AbortController()
      const reason = new Error('gone')
      const started = performance.now()
      setTimeout(() => controller.abort(reason), 20)
      const answer = collectChunks(model.chat({}, { signal: controller.signal }))
      expect(await answer.catch((thrown: unknown) => thrown)).to.equal(reason)
      return performance.now() - started
    })
    await silent.close()
  })

  it('of an unstreamed call closes the connection', async () => {
    const model = await server.model(hang, { capabilities: ['embedding'] })
    await expectWithin(50, async () => {
      const before = server.asked.length
      const controller = new AbortController()
      const reason = new Error('gone')
      const call = { signal: controller.signal, deadline: Date.now() + 1e4, requestId: 'r', tenant: 't' }
      const asked = model.embedding.embed({ inputs: [{ text: 'a' }] }, call).catch((error: unknown) => error)
      while (server.asked.length === before) await new Promise((resolve) => setTimeout(resolve, 2))
      const time = await closing(() => controller.abort(reason))
      expect(await asked).to.equal(reason)
      return time
    })
  })
})

describe('the connection', () => {
  serveEachTest(server)

  it('is closed when the consumer stops early', async () => {
    await expectWithin(50, async () => {
      const { pieces } = await start(trickle)
      await pieces.next()
      return closing(() => void pieces.return?.(undefined))
    })
  })

  it('is used again after a complete answer', async () => {
    const model = await server.model(hello)
    for (let round = 0; round < 5; round += 1) {
      await model.answer()
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    // One for the listing at the start, perhaps, and one more.
    expect(server.sockets.size).to.be.at.most(2)
  })

  it('is closed when the model is stopped', async () => {
    const model = await server.model(hello)
    await model.answer()
    const closed = once(server.asked[0]!.socket, 'close')
    await model.stop()
    await closed
  })
})
