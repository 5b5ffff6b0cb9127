import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { never, recorder, textsOf } from './support/recorder.js'

describe('the batcher under clients that come back', () => {
  /** Milliseconds that an evaluation takes, beyond each item's. */
  const fixed = 4

  const hold = (milliseconds: number) => {
    const end = performance.now() + milliseconds
    while (performance.now() < end);
  }

  const clients = async (count: number, rounds: number) => {
    const { batcher, batches } = recorder({
      tokens: 10_000,
      items: 1000,
      evaluate: (texts) => {
        batches.push(texts)
        hold(fixed)
        return Promise.resolve(texts.map(({ id }) => id))
      },
    })
    await Promise.all(
      Array.from({ length: count }, async (_, client) => {
        for (let round = 0; round < rounds; round += 1) {
          await batcher.run(textsOf(client, [8]), never)
          await delay(1 + (client % 3))
        }
      }),
    )
    return batches
  }

  it('serves them together', async () => {
    const batches = await clients(16, 10)
    expect(batches.length).to.be.at.most(25)
  })

  it('does not wait for a client while a large call has work for whole batches', async () => {
    const gaps: number[] = []
    let ended = performance.now()
    const { batcher } = recorder({
      evaluate: (texts) => {
        gaps.push(performance.now() - ended)
        hold(1)
        ended = performance.now()
        return Promise.resolve(texts.map(({ id }) => id))
      },
    })
    const given = new AbortController()
    const large = batcher.run(textsOf('large', new Array<number>(4000).fill(8)), given.signal)
    const rounds = 20
    const stopped = large.catch((error: unknown) => error)
    for (let round = 0; round < rounds; round += 1) {
      await batcher.run(textsOf(round, [8]), never)
      // longer than a batch would wait
      await delay(8)
    }
    given.abort()
    await stopped
    // making items takes some 5 ms before the first batch; a few more gaps may be of others on this machine
    expect(gaps.filter((gap) => gap > 4).length, 'pauses').to.be.below(rounds / 2)
  })

  it('never lets a single client wait', async () => {
    const { batcher } = recorder({
      evaluate: (texts) => Promise.resolve(texts.map(({ id }) => id)),
    })
    const started = performance.now()
    for (let round = 0; round < 50; round += 1) await batcher.run(textsOf(round, [8]), never)
    expect(performance.now() - started).to.be.below(100)
  })
})
