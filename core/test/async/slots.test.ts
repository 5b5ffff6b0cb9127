import { expect } from 'chai'
import fc from 'fast-check'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Slots } from '../../src/async/slots.js'

type Outcome = 'waits' | 'runs' | 'done' | 'overloaded' | 'not_ready' | 'gone'

/** One piece of work, and what has become of it. */
class Work {
  outcome: Outcome = 'waits'
  private readonly abort = new AbortController()
  private finish: () => void = () => undefined

  constructor(slots: Slots, begun: (work: Work) => void) {
    const run = () => {
      this.outcome = 'runs'
      begun(this)
      return new Promise<void>((resolve) => (this.finish = resolve))
    }
    slots.run(this.abort.signal, run).then(
      () => (this.outcome = 'done'),
      (error: unknown) => (this.outcome = outcomeOf(error)),
    )
  }

  giveUp(): void {
    this.abort.abort(new Error('gone'))
  }

  end(): void {
    this.finish()
  }
}

const outcomeOf = (error: unknown): Outcome => {
  const { code, message } = error as { code?: Outcome; message: string }
  return code ?? (message as Outcome)
}

/** What slots do, said again without promises. */
class Expected {
  private readonly outcomes: Outcome[] = []
  private closed = false

  constructor(
    private readonly count: number,
    private readonly places: number,
  ) {}

  ask(): void {
    this.outcomes.push(this.answer())
  }

  giveUp(index: number): void {
    if (this.outcomes[index] === 'waits') this.outcomes[index] = 'gone'
  }

  end(index: number): void {
    if (this.outcomes[index] !== 'runs') return
    this.outcomes[index] = 'done'
    const next = this.outcomes.indexOf('waits')
    if (next >= 0) this.outcomes[next] = 'runs'
  }

  close(): void {
    this.closed = true
    for (const [index, outcome] of this.outcomes.entries()) if (outcome === 'waits') this.outcomes[index] = 'not_ready'
  }

  of(outcome: Outcome): number {
    return this.outcomes.filter((one) => one === outcome).length
  }

  get all(): readonly Outcome[] {
    return this.outcomes
  }

  private answer(): Outcome {
    if (this.closed) return 'not_ready'
    if (this.of('runs') < this.count) return 'runs'
    return this.of('waits') < this.places ? 'waits' : 'overloaded'
  }
}

const index = fc.nat({ max: 20 })
const step = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ kind: 'ask', index: 0 } as const) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('end' as const), index }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('giveUp' as const), index }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'close', index: 0 } as const) },
)

describe('slots', () => {
  it('run so many, keep the order, and forget who gives up at once', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.nat({ max: 3 }),
        fc.array(step, { maxLength: 40 }),
        async (count, places, steps) => {
          const [slots, expected] = [new Slots(count, places), new Expected(count, places)]
          const works: Work[] = []
          const begun: Work[] = []
          for (const { kind, index: place } of steps) {
            if (kind === 'ask') works.push(new Work(slots, (work) => begun.push(work)))
            else if (kind === 'close') slots.close()
            else works[place]?.[kind]()
            if (kind === 'ask' || kind === 'close') expected[kind]()
            else expected[kind](place)
            await nextTurn()
            expect(works.map(({ outcome }) => outcome)).to.deep.equal(expected.all)
            expect(slots.load).to.deep.equal({ running: expected.of('runs'), waiting: expected.of('waits') })
          }
          expect(begun).to.deep.equal(works.filter((work) => begun.includes(work)))
        },
      ),
    ))

  it('are free again when the work fails', async () => {
    const slots = new Slots(1, 0)
    const { signal } = new AbortController()
    const failed = await slots.run(signal, () => Promise.reject(new Error('broken'))).catch(String)
    expect(failed).to.equal('Error: broken')
    expect(await slots.run(signal, () => Promise.resolve('well'))).to.equal('well')
  })

  it('begin nothing for who has given up before asking', async () => {
    const slots = new Slots(1, 1)
    const failed = await slots.run(AbortSignal.abort(new Error('gone')), () => Promise.resolve('run')).catch(String)
    expect([failed, slots.load.running]).to.deep.equal(['Error: gone', 0])
  })
})
