import { setImmediate as nextEventLoopTurn } from 'node:timers/promises'
import { isSallyportError } from '@sallyport/core'
import { expect } from 'chai'
import fc from 'fast-check'
import { nextBatch } from '../src/batching/next-batch.js'
import { never, recorder, pendingCall, textsOf } from './support/recorder.js'
import type { Text } from './support/recorder.js'

const sizes = fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 40 })

describe('the batcher under several tenants', () => {
  const ofTenant = (tenant: string) => ({ ...never, tenant })
  const many = (size: number) => new Array<number>(40).fill(size)

  it('gives tenants equal parts of each batch, however many calls they have', () => {
    const calls = Array.from({ length: 8 }, (_, call) => pendingCall(textsOf(call, many(4))))
    const batch = nextBatch([calls.slice(0, 1), calls.slice(1)], { maxTokens: 64, maxItems: 16 })
    expect(batch.filter(({ call }) => call === calls[0])).to.have.length(8)
  })

  it('does not have a tenant wait for a batch full of others’ texts when it is its turn', () => {
    const [few, ...others] = [[4, 4], many(4), many(4)].map((each, call) => pendingCall(textsOf(call, each)))
    const limits = { maxTokens: 64, maxItems: 16 }
    expect(nextBatch([[few!], others], limits)).to.have.length(4)
    expect(nextBatch([others, [few!]], limits)).to.have.length(16)
  })

  it('serves every tenant within as many batches as there are tenants, however many calls they have', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat({ max: 2 }), sizes), { minLength: 1, maxLength: 12 }),
        async (given) => {
          const { batches, run } = recorder()
          await Promise.all(
            given.map(([tenant, each], call) => run(textsOf(`${tenant}.${call}`, each), ofTenant(String(tenant)))),
          )
          for (const tenant of ['0', '1', '2']) {
            const own = batches.flatMap((batch, place) =>
              batch.some(({ id }) => id.startsWith(tenant)) ? [place] : [],
            )
            // a small call may go before its turn, every other time
            for (const [turn, place] of own.entries()) expect(place - (own[turn - 1] ?? -1)).to.be.at.most(6)
          }
        },
      ),
      { numRuns: 60 },
    ))

  it('answers a tenant next, whatever waits of another one, and makes its texts first', async () => {
    const { batches, run } = recorder({ maxItems: 1 })
    const flood = Array.from({ length: 30 }, (_, call) => run(textsOf(`a${call}`, [60]), ofTenant('a')))
    const modest = run(textsOf('b', [60, 60]), ofTenant('b'))
    await modest
    expect(batches.length).to.be.at.most(4)
    await Promise.all(flood)
  })

  it('answers small calls of several sizes in one batch each, though larger texts would fill it better', async () => {
    const { batches, run } = recorder({ maxTokens: 800, maxItems: 16 })
    const flood = Array.from({ length: 30 }, (_, call) => run(textsOf(`a${call}`, [160]), ofTenant('a')))
    const calls = ['b0', 'b1', 'b2', 'b3']
    for (const call of calls) await run(textsOf(call, [6, 5, 3]), ofTenant('b'))
    expect(batches.filter((batch) => batch.some(({ id }) => id.startsWith('b')))).to.have.length(calls.length)
    await Promise.all(flood)
  })

  it('answers next who comes while the batch of another one holds the event loop', async () => {
    const order: string[] = []
    let modest: Promise<unknown> | undefined
    const { run } = recorder({
      maxItems: 1,
      evaluate: (texts) => {
        order.push(...texts.map(({ id }) => id.slice(0, 1)))
        // heard of in the next turn of the event loop
        if (order.length === 2) setImmediate(() => void (modest = run(textsOf('b', [60]), ofTenant('b'))))
        return Promise.resolve(texts.map(({ id }) => id))
      },
    })
    await Promise.all(Array.from({ length: 5 }, (_, call) => run(textsOf(`a${call}`, [60]), ofTenant('a'))))
    await modest
    expect(order.join('')).to.equal('aabaaa')
  })

  it('answers a tenant next whose text is made in the background when others could go on', async () => {
    const made = new Set<string>()
    const { batcher, batches, run } = recorder({
      maxItems: 1,
      preparation: { tenants: made, batchDone: () => nextEventLoopTurn() },
    })
    const flood = run(textsOf('a', many(60)), ofTenant('a'))
    await nextEventLoopTurn()
    const before = batches.length
    made.add('b')
    const make = async (text: Text) => {
      for (let turn = 0; turn < 5; turn += 1) await nextEventLoopTurn()
      made.delete('b')
      return text
    }
    await batcher.run(textsOf('b', [60]), make, ofTenant('b'))
    expect(batches.length - before).to.be.at.most(2)
    await flood
  })

  it('does not wait for a tenant who has texts made for something else, and no call', async () => {
    let waits = 0
    const batchDone = () => {
      waits += 1
      return nextEventLoopTurn()
    }
    const { run } = recorder({ preparation: { tenants: ['b'], batchDone } })
    await run(textsOf('a', [60, 60]), ofTenant('a'))
    expect(waits).to.equal(0)
  })

  it('turns away the last call of whoever fills the queue, and not who asks for little', async () => {
    const { run } = recorder({ maxQueued: 10 })
    const outcome = (call: string, count: number) =>
      run(textsOf(call, new Array<number>(count).fill(4)), ofTenant(call.slice(0, 1))).then(
        () => 'answered',
        (error: unknown) => isSallyportError(error) && error.code,
      )
    const all = [outcome('a1', 5), outcome('a2', 5), outcome('b1', 2), outcome('a3', 5), outcome('c1', 9)]
    expect(await Promise.all(all)).to.deep.equal(['answered', 'overloaded', 'answered', 'overloaded', 'overloaded'])
  })
})
