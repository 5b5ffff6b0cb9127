import { setMaxListeners } from 'node:events'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { isSallyportError } from '@sallyport/core'
import { expect } from 'chai'
import fc from 'fast-check'
import { nextBatch } from '../src/batching/next-batch.js'
import { never, recorder, pendingCall, textsOf } from './support/recorder.js'

const sizes = fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 40 })
const calls = fc.array(sizes, { minLength: 1, maxLength: 8 })

const abortable = () => {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return { signal: controller.signal, abort: () => controller.abort('gone') }
}

describe('the batcher', () => {
  it('evaluates every item of every call once and answers in order', () =>
    fc.assert(
      fc.asyncProperty(calls, async (sizesOfCalls) => {
        const { batches, run } = recorder()
        const texts = sizesOfCalls.map((each, call) => textsOf(call, each))
        const results = await Promise.all(texts.map((each) => run(each, never)))
        expect(results).to.deep.equal(texts.map((each) => each.map(({ id }) => id)))
        const evaluated = batches.flat().map(({ id }) => id)
        expect(evaluated.sort()).to.deep.equal(
          texts
            .flat()
            .map(({ id }) => id)
            .sort(),
        )
      }),
      { numRuns: 60 },
    ))

  it('keeps batches within tokens, padding included, and within items', () =>
    fc.assert(
      fc.asyncProperty(calls, async (sizesOfCalls) => {
        const { batches, run } = recorder()
        await Promise.all(sizesOfCalls.map((each, call) => run(textsOf(call, each), never)))
        for (const batch of batches) {
          const padded = batch.length * Math.max(...batch.map(({ size }) => size))
          expect(batch.length === 1 || padded <= 64, `${batch.length} items, ${padded} tokens`).to.equal(true)
          expect(batch.length).to.be.at.most(16)
        }
      }),
      { numRuns: 60 },
    ))

  it('serves every call within as many batches as there are calls, again and again', () =>
    fc.assert(
      fc.asyncProperty(calls, async (sizesOfCalls) => {
        const { batches, run } = recorder()
        await Promise.all(sizesOfCalls.map((each, call) => run(textsOf(call, each), never)))
        for (const [call, { length }] of sizesOfCalls.entries()) {
          const own = batches.flatMap((batch, place) =>
            batch.some(({ id }) => id.startsWith(`${call}.`)) ? [place] : [],
          )
          for (const [turn, place] of own.entries())
            expect(place - (own[turn - 1] ?? -1), `call ${call}`).to.be.at.most(sizesOfCalls.length)
          expect(own.length > 0).to.equal(length > 0)
        }
      }),
      { numRuns: 60 },
    ))

  it('answers a single text soon beside calls of thousands', async () => {
    let batches = 0
    const { run } = recorder({
      evaluate: async (texts) => {
        batches += 1
        await delay(1)
        return texts.map(({ id }) => id)
      },
    })
    const flood = new AbortController()
    const floods = ['a', 'b', 'c'].map((call) =>
      run(textsOf(call, new Array<number>(3000).fill(8)), { ...never, signal: flood.signal }),
    )
    const ended = Promise.allSettled(floods)
    await delay(20)
    const before = batches
    await run(textsOf('single', [60]), never)
    expect(batches - before).to.be.at.most(5)
    flood.abort()
    await ended
  })

  it('answers small calls next, but not always, whatever waits before them', async () => {
    const { batches, run } = recorder()
    const large = Array.from({ length: 9 }, (_, call) => run(textsOf(`large${call}`, [60, 60]), never))
    const small = Array.from({ length: 3 }, (_, call) => run(textsOf(`small${call}`, [2 + call, 3]), never))
    await Promise.all([...large, ...small])
    const order = batches.map((batch) => (batch.some(({ id }) => id.startsWith('small')) ? 'small' : 'large'))
    expect(order.slice(0, 2), order.join()).to.have.members(['small', 'large'])
    expect(order.filter((kind) => kind === 'small').length).to.be.at.most(3)
    expect(order.join(' ')).not.to.contain('small small')
  })

  it('lets no call before its turn that a batch does not serve as a whole', async () => {
    const { batches, run } = recorder({ maxItems: 1 })
    await Promise.all([run(textsOf('large', [60, 60]), never), run(textsOf('small', [2, 2]), never)])
    expect(batches.map(([first]) => first?.id)).to.deep.equal(['large.1', 'small.1', 'large.0', 'small.0'])
  })

  it('gives calls of equal texts equal parts of each batch', () => {
    const calls = ['a', 'b', 'c', 'd'].map((call) => pendingCall(textsOf(call, new Array<number>(100).fill(4))))
    const batch = nextBatch([calls], { maxTokens: 64, maxItems: 16 })
    for (const pending of calls) expect(batch.filter((entry) => entry.call === pending)).to.have.length(4)
  })

  it('does not pad short texts to the length of a long one', () => {
    const pending = pendingCall(textsOf('a', [60, ...new Array<number>(20).fill(3)]))
    expect(nextBatch([[pending]], { maxTokens: 1000, maxItems: 100 }).map(({ size }) => size)).to.deep.equal([60])
  })

  it('fills a batch with what fits beside what does not', () => {
    const calls = [[8], [2000], new Array<number>(20).fill(8)].map((each, call) => pendingCall(textsOf(call, each)))
    const batch = nextBatch([calls], { maxTokens: 64, maxItems: 16 })
    expect(batch.map(({ size }) => size)).to.deep.equal(new Array(8).fill(8))
    expect(new Set(batch.map(({ call }) => call))).to.deep.equal(new Set([calls[0], calls[2]]))
  })

  it('evaluates no item of a call that was given up', () =>
    fc.assert(
      fc.asyncProperty(sizes, sizes, fc.integer({ min: 0, max: 4 }), async (kept, dropped, afterBatches) => {
        const controller = new AbortController()
        const late: string[] = []
        let batches = 0
        const { run } = recorder({
          evaluate: (texts) => {
            if (controller.signal.aborted)
              late.push(...texts.map(({ id }) => id).filter((id) => id.startsWith('dropped')))
            batches += 1
            if (batches > afterBatches) controller.abort(new Error('gone'))
            return Promise.resolve(texts.map(({ id }) => id))
          },
        })
        const gone = run(textsOf('dropped', dropped), { ...never, signal: controller.signal }).then(
          (results) => results.length,
          (error: unknown) => (error instanceof Error ? error.message : error),
        )
        const results = await run(textsOf('kept', kept), never)
        expect(results).to.have.length(kept.length)
        expect(await gone).to.be.oneOf(['gone', dropped.length])
        expect(late).to.deep.equal([])
      }),
      { numRuns: 40 },
    ))

  it('fails the calls of poisonous items alone', () =>
    fc.assert(
      fc.asyncProperty(calls, fc.integer({ min: 0, max: 7 }), async (sizesOfCalls, poisoned) => {
        const { run } = recorder()
        const outcomes = await Promise.allSettled(
          sizesOfCalls.map((each, call) => {
            const texts = textsOf(call, each)
            return run(call === poisoned ? [...texts, { id: 'x', size: 9, poison: true }] : texts, never)
          }),
        )
        for (const [call, { status }] of outcomes.entries())
          expect(status).to.equal(call === poisoned ? 'rejected' : 'fulfilled')
      }),
      { numRuns: 40 },
    ))

  it('fails a call whose item cannot be made, and no other', async () => {
    const { batcher, run } = recorder()
    const make = (size: number) =>
      size === 3 ? Promise.reject(new Error('cannot be made')) : { id: String(size), size }
    const [bad, good] = await Promise.allSettled([
      batcher.run([1, 2, 3], make, never),
      run(textsOf('good', [1, 2]), never),
    ])
    expect(bad).to.have.property('status', 'rejected')
    expect(good).to.have.property('status', 'fulfilled')
  })

  it('fails its calls where the evaluator forgets results, and goes on', async () => {
    const { run } = recorder({ evaluate: (texts) => Promise.resolve(texts.slice(1).map(({ id }) => id)) })
    for (const call of ['first', 'second'])
      expect(await run(textsOf(call, [1]), never).catch((error: unknown) => error)).to.be.instanceOf(Error)
  })

  it('refuses what goes beyond the queue with a time to retry, and takes a large call when nothing waits', async () => {
    const { run } = recorder({ maxQueued: 10 })
    const large = run(textsOf('large', new Array<number>(40).fill(4)), never)
    const error: unknown = await run(textsOf('more', [1]), never).catch((reason: unknown) => reason)
    expect(isSallyportError(error) && [error.code, error.retryAfter]).to.deep.equal(['overloaded', 1])
    expect(await large).to.have.length(40)
    expect(await run(textsOf('later', [1]), never)).to.have.length(1)
  })

  it('makes no item of a call that is refused', async () => {
    const { batcher, run } = recorder({ maxQueued: 1 })
    let made = 0
    const make = () => ({ id: String(made++), size: 1 })
    const first = run(textsOf('first', [1]), never)
    await batcher.run([1, 2], make, never).catch((error: unknown) => error)
    await first
    expect(made).to.equal(0)
  })

  it('evaluates what is ready, and others’ items, while one takes long to make', async () => {
    const { batcher, batches, run } = recorder()
    const finished: string[] = []
    const make = async (id: string) => {
      if (id === 'late') await delay(40)
      return { id, size: 1 }
    }
    await Promise.all([
      batcher.run(['soon', 'late'], make, never).then(() => finished.push('both')),
      run(textsOf('short', [1, 2]), never).then(() => finished.push('short')),
    ])
    expect(finished).to.deep.equal(['short', 'both'])
    expect(batches.at(-1)?.map(({ id }) => id)).to.deep.equal(['late'])
  })

  it('takes in a flood of calls, and their ends, before it evaluates what nobody waits for', async () => {
    const batches: unknown[] = []
    const { run } = recorder({
      evaluate: (texts) => {
        batches.push(texts)
        const end = performance.now() + 60
        while (performance.now() < end);
        return Promise.resolve(texts.map(({ id }) => id))
      },
    })
    const { signal, abort } = abortable()
    const calls = Array.from({ length: 40 }, async (_, call) => {
      // a turn of the event loop brings one call, and the ends come behind them all
      for (let turns = 0; turns < call; turns += 1) await nextTurn()
      return run(textsOf(call, new Array<number>(8).fill(64)), { ...never, signal })
    })
    for (let turns = 0; turns < 40; turns += 1) await nextTurn()
    abort()
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.every(({ status }) => status === 'rejected')).to.equal(true)
    expect(batches.length).to.be.below(10)
  })

  it('answers an empty call, and refuses a call that was given up before', async () => {
    const { batches, run } = recorder()
    expect(await run([], never)).to.deep.equal([])
    const gone = { ...never, signal: AbortSignal.abort('gone') }
    expect(await run(textsOf('a', [1]), gone).catch((reason: unknown) => reason)).to.equal('gone')
    expect(batches).to.deep.equal([])
  })
})
