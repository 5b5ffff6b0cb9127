import { expect } from 'chai'
import fc from 'fast-check'
import { mapBounded } from '../../src/async/map-bounded.js'

const turn = () => new Promise((resolve) => setImmediate(resolve))

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
