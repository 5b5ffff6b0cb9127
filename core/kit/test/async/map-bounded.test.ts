import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import fc from 'fast-check'
import { mapBounded, mapPaced } from '../../src/async/map-bounded.js'

describe('mapping with a bound', () => {
  it('keeps the order, and never has more under way than it may', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 3 })),
        fc.integer({ min: 1, max: 4 }),
        async (turns, most) => {
          let running = 0
          let highest = 0
          const results = await mapBounded(turns, most, async (count, index) => {
            highest = Math.max(highest, (running += 1))
            for (let left = count; left; left -= 1) await turn()
            running -= 1
            return index
          })
          expect(results).to.deep.equal([...turns.keys()])
          expect(highest).to.be.at.most(most)
        },
      ),
      { numRuns: 50 },
    )
  })

  const failures: { name: string; fail: () => Promise<never> }[] = [
    { name: 'rejected', fail: () => Promise.reject(new Error('boom')) },
    { name: 'rejected later', fail: () => turn().then(() => Promise.reject(new Error('boom'))) },
    {
      name: 'thrown at once',
      fail: () => {
        throw new Error('boom')
      },
    },
  ]
  for (const { name, fail } of failures)
    it(`begins nothing after a failure that is ${name}`, async () => {
      let begunAfter = 0
      let failed = false
      const mapping = mapBounded([...Array(50).keys()], 3, async (index) => {
        if (failed) begunAfter += 1
        if (index !== 4) return turn()
        try {
          return await fail()
        } finally {
          failed = true
        }
      })
      const [result] = await Promise.allSettled([mapping])
      expect(result).to.have.nested.property('reason.message', 'boom')
      for (let rounds = 0; rounds < 20; rounds += 1) await turn()
      expect(begunAfter).to.equal(0)
    })
})

describe('mapping in turns with other work', () => {
  /** For each item, in which turn of the event loop it was made. Each takes longer than the work of one turn may. */
  const turnsOfSlowItems = async (calls: number, itemsOfCall: number): Promise<number[]> => {
    const madeIn: number[] = []
    let [turns, done] = [0, false]
    function* slowItems() {
      for (let made = 0; made < itemsOfCall; made += 1) {
        const until = performance.now() + 10
        while (performance.now() < until);
        madeIn.push(turns)
        yield made
      }
    }
    void (async () => {
      for (; !done; turns += 1) await turn()
    })()
    const { signal } = new AbortController()
    const mapping = Array.from({ length: calls }, (_, call) =>
      mapPaced(slowItems(), 4, { signal, tenant: `${call}` }, (item) => Promise.resolve(item)),
    )
    await Promise.all(mapping).finally(() => (done = true))
    return madeIn
  }

  for (const [calls, itemsOfCall] of [
    [1, 12],
    [12, 1],
    [3, 4],
  ] as const)
    it(`makes no two slow items in one turn: ${calls} calls with ${itemsOfCall} items each`, async () => {
      const madeIn = await turnsOfSlowItems(calls, itemsOfCall)
      expect(new Set(madeIn).size).to.equal(calls * itemsOfCall)
    })

  it('keeps the order of the items, whichever is mapped first', async () => {
    const { signal } = new AbortController()
    const later = async (count: number) => {
      for (let left = count; left; left -= 1) await turn()
      return count
    }
    expect(await mapPaced([3, 0, 2, 1], 2, { signal, tenant: '' }, later)).to.deep.equal([3, 0, 2, 1])
  })

  it('makes no further item once the call is aborted, and ends the items', async () => {
    const controller = new AbortController()
    let [made, ended] = [0, false]
    function* items() {
      try {
        for (; ; made += 1) yield made
      } finally {
        ended = true
      }
    }
    const mapping = mapPaced(items(), 2, { signal: controller.signal, tenant: '' }, (item) => {
      if (item === 5) controller.abort(new Error('gone'))
      return turn(item)
    })
    const [result] = await Promise.allSettled([mapping])
    expect(result).to.have.nested.property('reason.message', 'gone')
    expect(made).to.be.below(8)
    expect(ended).to.equal(true)
  })
})
