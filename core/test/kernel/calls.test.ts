import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import fc from 'fast-check'
import { isSallyportError } from '../../src/index.js'
import { CallTracker } from '../../src/kernel/calls.js'
import { streamUntilAborted, untilAborted } from '../../src/kernel/until-aborted.js'
import { mergeStreams } from '../../src/kernel/merge-streams.js'

const later = <Value>(value: Value, milliseconds: number) =>
  new Promise<Value>((resolve) => setTimeout(() => resolve(value), milliseconds))

const rejection = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('expected a rejection')
}

describe('calls', () => {
  it('are aborted at their deadline, with the limit in the message', async () => {
    const { call, end } = new CallTracker(60).open({ deadline: Date.now() + 20 })
    const error = await rejection(untilAborted(later(1, 500), call.signal))
    end()
    expect(isSallyportError(error) && error.code).to.equal('deadline_exceeded')
  })

  it('have no later deadline than the configuration allows', () => {
    const { call, end } = new CallTracker(1).open({ deadline: Date.now() + 1e6 })
    end()
    expect(call.deadline).to.be.at.most(Date.now() + 1000)
  })

  it('are drained when the last one has ended', async () => {
    const tracker = new CallTracker(60)
    const first = tracker.open({})
    const second = tracker.open({})
    const order: string[] = []
    const drained = tracker.drained().then(() => order.push('drained'))
    first.end()
    first.end()
    await later(0, 5)
    order.push('second')
    second.end()
    await drained
    expect(order).to.deep.equal(['second', 'drained'])
  })

  it('are refused while the rest finishes', () => {
    const tracker = new CallTracker(60)
    tracker.refuse()
    expect(() => tracker.open({})).to.throw('shutting down')
  })

  it('are aborted with their caller, before and after they are opened', () => {
    const tracker = new CallTracker(60)
    const before = tracker.open({ signal: AbortSignal.abort(new Error('gone')) })
    const controller = new AbortController()
    const after = tracker.open({ signal: controller.signal })
    controller.abort(new Error('gone'))
    for (const { call, end } of [before, after]) {
      end()
      expect((call.signal.reason as Error).message).to.equal('gone')
    }
  })

  it('leave nothing behind in the signal of their caller', () => {
    const tracker = new CallTracker(60)
    const { signal } = new AbortController()
    const { end } = tracker.open({ signal })
    expect(getEventListeners(signal, 'abort')).to.have.length(1)
    end()
    expect(getEventListeners(signal, 'abort')).to.have.length(0)
  })

  it('may be many at once without a warning', async () => {
    const warnings: Error[] = []
    const hear = (warning: Error) => warnings.push(warning)
    process.on('warning', hear)
    const tracker = new CallTracker(60)
    const calls = Array.from({ length: 40 }, () => tracker.open({}))
    await later(undefined, 0)
    for (const { end } of calls) end()
    process.off('warning', hear)
    expect(warnings).to.deep.equal([])
  })

  it('that fail after the abort fail unheard, without ending the process', async () => {
    const late = Promise.reject(new Error('late'))
    const error = await rejection(untilAborted(late, AbortSignal.abort(new Error('gone'))))
    expect((error as Error).message).to.equal('gone')
  })

  it('are aborted when the kernel closes', () => {
    const tracker = new CallTracker(60)
    const { call } = tracker.open({})
    tracker.close()
    expect(call.signal.aborted).to.equal(true)
  })
})

describe('a stream under a signal', () => {
  it('ends at once when the source ignores the abort, and tells the source', async () => {
    const controller = new AbortController()
    let returned = false
    const source: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => undefined),
        return: () => {
          returned = true
          return Promise.resolve({ done: true, value: undefined })
        },
      }),
    }
    setTimeout(() => controller.abort(new Error('gone')), 5)
    const error = await rejection(streamUntilAborted(source, controller.signal).next())
    expect((error as Error).message).to.equal('gone')
    expect(returned).to.equal(true)
  })
})

describe('merged streams', () => {
  async function* timed(name: string, delays: readonly number[]) {
    for (const [index, delay] of delays.entries()) yield await later(`${name}${index}`, delay)
  }

  it('yield every value of every stream, each stream in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 4 }), { maxLength: 4 }),
        async (plans) => {
          const values: string[] = []
          for await (const value of mergeStreams(plans.map((delays, index) => timed(`${index}:`, delays))))
            values.push(value)
          plans.forEach((delays, index) => {
            const own = values.filter((value) => value.startsWith(`${index}:`))
            expect(own).to.deep.equal(delays.map((_, position) => `${index}:${position}`))
          })
        },
      ),
      { numRuns: 30 },
    )
  })

  it('end all when one fails', async () => {
    let closed = false
    async function* endless() {
      try {
        for (;;) yield await later('x', 1)
      } finally {
        closed = true
      }
    }
    async function* failing(): AsyncGenerator<string> {
      await later(0, 5)
      yield 'last'
      throw new Error('boom')
    }
    const error = await rejection(
      (async () => {
        for await (const value of mergeStreams([endless(), failing()])) expect(value).to.be.a('string')
      })(),
    )
    await later(0, 5)
    expect((error as Error).message).to.equal('boom')
    expect(closed).to.equal(true)
  })
})
