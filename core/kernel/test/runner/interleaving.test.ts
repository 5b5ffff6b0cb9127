import { expect } from 'chai'
import fc from 'fast-check'
import { testCall } from '@sallyport/testing'
import type { Connection } from '../../src/runner/client.js'
import { pause, range } from './fixtures/calls.js'
import { links } from './fixtures/links.js'

/** What one caller does. */
interface Plan {
  chunks: number
  pace: 'at once' | 'microtasks' | 'turns' | 'timers'
  /** Stop reading after so many, by leaving or by aborting. */
  leave: { after: number; how: 'return' | 'abort' } | undefined
  /** Rest after each so many chunks. */
  restAfter: number
  /** Turns of the event loop before it starts. */
  start: number
}

const plan: fc.Arbitrary<Plan> = fc.record({
  chunks: fc.nat(200),
  pace: fc.constantFrom('at once', 'microtasks', 'turns', 'timers'),
  leave: fc.option(fc.record({ after: fc.nat(120), how: fc.constantFrom('return', 'abort') }), { nil: undefined }),
  restAfter: fc.integer({ min: 1, max: 90 }),
  start: fc.nat(4),
})

const follow = async (connection: Connection, { chunks, pace, leave, restAfter, start }: Plan): Promise<unknown[]> => {
  for (let turn = 0; turn < start; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  const controller = new AbortController()
  const seen: unknown[] = []
  try {
    for await (const chunk of connection.stream('count', { chunks, pace }, testCall({ signal: controller.signal }))) {
      if (seen.length === leave?.after) {
        if (leave.how === 'return') break
        controller.abort()
        continue
      }
      seen.push(chunk)
      if (seen.length % restAfter === 0) await pause(1)
    }
  } catch (error) {
    if (!controller.signal.aborted) throw error
  }
  return seen
}

const expected = ({ chunks, leave }: Plan) => range(Math.min(chunks, leave?.after ?? chunks))

for (const [transport, open] of Object.entries(links))
  describe(`interleaved calls, ${transport}`, () => {
    it('keep the order and the completeness of each stream', async () => {
      const link = await open()
      const { connection } = link
      await fc.assert(
        fc.asyncProperty(fc.array(plan, { maxLength: 12 }), async (plans) => {
          const echoes = range(plans.length).map((index) => connection.call('echo', index, testCall()))
          const results = await Promise.all(plans.map((each) => follow(connection, each)))
          expect(results).to.deep.equal(plans.map(expected))
          expect(await Promise.all(echoes)).to.deep.equal(range(plans.length))
          expect(connection.pendingCount).to.equal(0)
        }),
        { numRuns: 12, endOnFailure: true },
      )
      await link.end()
    }).timeout(15_000)
  })
