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
    const { batches, run } = recorder({
      maxTokens: 10_000,
      maxItems: 1000,
      evaluate: (texts) => {
        batches.push(texts)
        hold(fixed)
        return Promise.resolve(texts.map(({ id }) => id))
      },
    })
    await Promise.all(
      Array.from({ length: count }, async (_, client) => {
        for (let round = 0; round < rounds; round += 1) {
          await run(textsOf(client, [8]), never)
          await delay(1 + (client % 3))
        }
      }),
    )
    return batches
  }

  it('serves them together', async () => {
    expect(await fewest(26, async () => (await clients(16, 10)).length)).to.be.at.most(25)
  })

  /** Others on this machine make pauses, and never take one away. */
  const fewest = async (enough: number, count: () => Promise<number>): Promise<number> => {
    let best = Infinity
    for (let tries = 0; tries < 10 && best >= enough; tries += 1) best = Math.min(best, await count())
    return best
  }

  /** Pauses of the evaluator while single texts come beside a large call. */
  const pauses = async (rounds: number): Promise<number> => {
    const gaps: number[] = []
    let ended = performance.now()
    const { run } = recorder({
      evaluate: (texts) => {
        gaps.push(performance.now() - ended)
        hold(1)
        ended = performance.now()
        return Promise.resolve(texts.map(({ id }) => id))
      },
    })
    const given = new AbortController()
    const large = run(textsOf('large', new Array<number>(4000).fill(8)), { tenant: 'a', signal: given.signal })
    const stopped = large.catch((error: unknown) => error)
    for (let round = 0; round < rounds; round += 1) {
      await run(textsOf(round, [8]), never)
      // longer than a batch would wait
      await delay(8)
    }
    given.abort()
    await stopped
    return gaps.filter((gap) => gap > 4).length
  }

  it('does not wait for a client while a large call has work for whole batches', async () => {
    expect(await fewest(10, () => pauses(20))).to.be.below(10)
  })

  it('never lets a single client wait', async () => {
    const { run } = recorder({
      evaluate: (texts) => Promise.resolve(texts.map(({ id }) => id)),
    })
    const milliseconds = async () => {
      const started = performance.now()
      for (let round = 0; round < 50; round += 1) await run(textsOf(round, [8]), never)
      return performance.now() - started
    }
    expect(await fewest(100, milliseconds)).to.be.below(100)
  })
})
