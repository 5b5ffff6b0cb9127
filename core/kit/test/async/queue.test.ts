import { expect } from 'chai'
import fc from 'fast-check'
import { Queue } from '../../src/async/queue.js'

describe('a queue', () => {
  it('gives back what it was given, in that order', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer(), { nil: 'take' as const })), (steps) => {
        const queue = new Queue<number>()
        const expected: number[] = []
        for (const step of steps) {
          if (step === 'take') expect(queue.take()).to.equal(expected.shift())
          else {
            queue.push(step)
            expected.push(step)
          }
          expect(queue.length).to.equal(expected.length)
          expect(queue.first).to.equal(expected[0])
        }
      }),
    )
  })
})
