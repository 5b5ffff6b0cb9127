import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { rejection } from '@sallyport/stand-ins/errors'
import { TimeLimit } from '../../src/async/time-limit.js'

const [late, gone] = [new Error('late'), new Error('gone')]
const never = new Promise<never>(() => undefined)

describe('a time limit', () => {
  for (const [what, times] of [
    ['the whole time', { total: 1 }],
    ['a silence', { total: undefined, silence: 1 }],
  ] as const)
    it(`aborts its signal after ${what}, and says what was exceeded`, async () => {
      const limit = new TimeLimit(undefined, { ...times, reason: () => late })
      expect(await rejection(limit.within(never, 60_000, () => gone))).to.equal(late)
      expect(limit.exceeded).to.equal(1)
    })

  it('may have a shorter one within, for one promise', async () => {
    const limit = new TimeLimit(undefined, { total: 60_000, reason: () => gone })
    expect(await limit.within(Promise.resolve('in time'), 60_000, () => gone)).to.equal('in time')
    expect(await rejection(limit.within(never, 1, () => late))).to.equal(late)
    expect(limit.exceeded).to.equal(1)
    limit.end()
  })

  for (const [what, callerReason, expected] of [
    ["the caller's reason", undefined, gone],
    ['a reason of its own', late, late],
  ] as const)
    it(`aborts its signal with the caller's, with ${what}, and says that nothing was exceeded`, async () => {
      const caller = new AbortController()
      const limit = new TimeLimit(caller.signal, {
        total: 60_000,
        reason: () => late,
        ...(callerReason && { callerReason }),
      })
      caller.abort(gone)
      expect(await rejection(limit.within(never, 60_000, () => late))).to.equal(expected)
      expect(limit.exceeded).to.equal(undefined)
      limit.end()
    })

  it('does not end at once where it is longer than a timer may be', async () => {
    const limit = new TimeLimit(undefined, { total: 2 ** 31, reason: () => late })
    await sleep(20)
    expect(limit.signal.aborted).to.equal(false)
    limit.end()
  })

  it('stops its clock at the end, and what still runs where a reason is given', async () => {
    const limit = new TimeLimit(undefined, { total: 1, reason: () => late })
    limit.end(gone)
    await sleep(20)
    expect(limit.signal.reason).to.equal(gone)
    expect(limit.exceeded).to.equal(undefined)
  })
})
