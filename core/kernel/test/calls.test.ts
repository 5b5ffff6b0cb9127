import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import { isSallyportError } from '@sallyport/core'
import { untilAborted } from '@sallyport/kit/async'
import { later } from '@sallyport/stand-ins/promises'
import { rejection } from '@sallyport/stand-ins/errors'
import { CallTracker } from '../src/calls/tracker.js'

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

  it('are aborted when the kernel closes', () => {
    const tracker = new CallTracker(60)
    const { call } = tracker.open({})
    tracker.abortAll()
    expect(call.signal.aborted).to.equal(true)
  })
})
