import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { SallyportError } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { Budget, Progress } from '../../src/detect/budget.js'

const never = () => new Promise<never>(() => undefined)
const done = () => Promise.resolve('done')

/** What a run under the budget ended with. */
const outcomeOf = (run: Promise<unknown>): Promise<unknown> =>
  run.catch((error: unknown) => (error as SallyportError).code)

describe('the budget of a check', () => {
  it('ends for a detector that does nothing', async () => {
    const budget = new Budget(5, '', 'pii', new Progress())
    expect(await outcomeOf(budget.run(testCall(), never))).to.equal('deadline_exceeded')
  })

  it('ends although the detector has finished other things for the same text', async () => {
    const budget = new Budget(5, '', 'pii', new Progress())
    await budget.run(testCall(), done)
    expect(await outcomeOf(budget.run(testCall(), never))).to.equal('deadline_exceeded')
  })

  it('goes on while the detector finishes other texts, up to eight times as long', async () => {
    const progress = new Progress()
    const others = setInterval(() => progress.add('pii'), 1)
    const began = performance.now()
    const patient = new Budget(40, '', 'pii', progress).run(testCall(), async () => {
      await sleep(120)
      return 'done'
    })
    const hung = new Budget(40, '', 'pii', progress).run(testCall(), never)
    try {
      expect(await outcomeOf(patient)).to.equal('done')
      expect(await outcomeOf(hung)).to.equal('deadline_exceeded')
      expect(performance.now() - began).to.be.at.least(7 * 40)
    } finally {
      clearInterval(others)
    }
  })

  it('goes on for all that runs under it', async () => {
    const progress = new Progress()
    const others = setInterval(() => progress.add('pii'), 1)
    const budget = new Budget(40, '', 'pii', progress)
    const slow = async () => {
      await sleep(100)
      return 'done'
    }
    try {
      const outcomes = await Promise.all(Array.from({ length: 4 }, () => outcomeOf(budget.run(testCall(), slow))))
      expect(outcomes).to.deep.equal(['done', 'done', 'done', 'done'])
    } finally {
      clearInterval(others)
    }
  })

  it('does not go on because another detector is busy', async () => {
    const progress = new Progress()
    const others = setInterval(() => progress.add('toxicity'), 1)
    try {
      expect(await outcomeOf(new Budget(20, '', 'pii', progress).run(testCall(), never))).to.equal('deadline_exceeded')
    } finally {
      clearInterval(others)
    }
  })

  it('goes on when the process was held up', async () => {
    const result = new Budget(5, '', 'pii', new Progress()).run(testCall(), async () => {
      await sleep(2)
      return 'done'
    })
    const until = performance.now() + 300
    while (performance.now() < until);
    expect(await outcomeOf(result)).to.equal('done')
  })

  it('grows with the text', async () => {
    const budget = new Budget(20, 'a'.repeat(1024 * 100), 'pii', new Progress())
    const slow = async () => {
      await sleep(100)
      return 'done'
    }
    expect(await outcomeOf(budget.run(testCall(), slow))).to.equal('done')
  })

  it('ends for the longest text, too', async () => {
    const budget = new Budget(5, 'a'.repeat(1024 * 1000), 'pii', new Progress())
    const began = performance.now()
    expect(await outcomeOf(budget.run(testCall(), never))).to.equal('deadline_exceeded')
    expect(performance.now() - began).to.be.below(5 * 500)
  })

  it('ends the detector’s work, and where nobody waits asks for none', async () => {
    let signal: AbortSignal | undefined
    await outcomeOf(
      new Budget(5, '', 'pii', new Progress()).run(testCall(), (inner) => {
        signal = inner.signal
        return never()
      }),
    )
    expect(signal?.aborted).to.equal(true)
    const gone = new AbortController()
    gone.abort(new Error('gone'))
    const late = new Budget(5, '', 'pii', new Progress()).run(testCall({ signal: gone.signal }), done)
    expect(await late.catch((error: unknown) => (error as Error).message)).to.equal('gone')
  })

  it('has a signal that has ended for work that asks for it late', async () => {
    let late: () => AbortSignal | undefined = () => undefined
    await outcomeOf(
      new Budget(5, '', 'pii', new Progress()).run(testCall(), (inner) => {
        late = () => inner.signal
        return never()
      }),
    )
    expect(late()?.aborted).to.equal(true)
  })

  it('fails as work does that throws at once', async () => {
    const throws = () => {
      throw new Error('boom')
    }
    const run = new Budget(5, '', 'pii', new Progress()).run(testCall(), throws)
    expect(await run.catch((error: unknown) => (error as Error).message)).to.equal('boom')
  })

  it('hands on that the caller has gone', async () => {
    const caller = new AbortController()
    let signal: AbortSignal | undefined
    void new Budget(1000, '', 'pii', new Progress())
      .run(testCall({ signal: caller.signal }), (inner) => {
        signal = inner.signal
        return never()
      })
      .catch(() => undefined)
    await sleep(1)
    caller.abort(new Error('gone'))
    expect(signal?.aborted).to.equal(true)
  })
})
