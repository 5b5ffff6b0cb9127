import { getEventListeners } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import fc from 'fast-check'
import { Slots } from '../../src/async/slots.js'

type Outcome = 'waits' | 'runs' | 'done' | 'overloaded' | 'not_ready' | 'gone'

/** One piece of work, and what has become of it. */
class Work {
  outcome: Outcome = 'waits'
  private readonly abort = new AbortController()
  private finish: () => void = () => undefined

  constructor(
    slots: Slots,
    readonly tenant: string,
    begun: (work: Work) => void,
  ) {
    const run = () => {
      this.outcome = 'runs'
      begun(this)
      return new Promise<void>((resolve) => (this.finish = resolve))
    }
    slots.run({ tenant, signal: this.abort.signal }, run).then(
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

interface ExpectedWork {
  readonly tenant: string
  readonly begunAtOnce: boolean
  outcome: Outcome
}

/** What slots do, said again without promises. */
class Expected {
  readonly works: ExpectedWork[] = []
  private closed = false
  /** Whose turn it is first: the one who had one longest ago, or has not waited since. */
  private turns: string[] = []

  constructor(
    private readonly count: number,
    private readonly places: number,
    private readonly reserve: number,
    private readonly perTenant: number,
  ) {}

  ask(tenant: string): void {
    const outcome = this.answer(tenant)
    const work: ExpectedWork = { tenant, outcome, begunAtOnce: outcome === 'runs' }
    if (work.outcome === 'waits' && !this.turns.includes(tenant)) this.turns.push(tenant)
    this.works.push(work)
  }

  giveUp(index: number): void {
    const work = this.works[index]
    if (work?.outcome === 'waits') this.leave(work, 'gone')
  }

  end(index: number): void {
    const work = this.works[index]
    if (work?.outcome !== 'runs') return
    work.outcome = 'done'
    if (work.begunAtOnce) this.putLast(work.tenant)
    const [next] = this.turns
      .filter((tenant) => this.mayRun(tenant))
      .map((tenant) => this.works.find((one) => one.tenant === tenant && one.outcome === 'waits')!)
      .sort((one, other) => this.of('runs', one.tenant) - this.of('runs', other.tenant))
    if (!next) return
    this.leave(next, 'runs')
    this.putLast(next.tenant)
  }

  close(): void {
    this.closed = true
    for (const work of this.works) if (work.outcome === 'waits') this.leave(work, 'not_ready')
  }

  of(outcome: Outcome, tenant?: string): number {
    return this.works.filter((one) => one.outcome === outcome && one.tenant === (tenant ?? one.tenant)).length
  }

  private mayRun(tenant: string): boolean {
    const running = this.of('runs', tenant)
    return running < this.perTenant && this.of('runs') < this.count + (running ? 0 : this.reserve)
  }

  private putLast(tenant: string): void {
    if (this.turns.includes(tenant)) this.turns = [...this.turns.filter((one) => one !== tenant), tenant]
  }

  private leave(work: ExpectedWork, outcome: Outcome): void {
    work.outcome = outcome
    this.turns = this.turns.filter((tenant) => this.of('waits', tenant) > 0)
  }

  private answer(tenant: string): Outcome {
    if (this.closed) return 'not_ready'
    if (this.mayRun(tenant)) return 'runs'
    if (this.of('waits') < this.places) return 'waits'
    const [longest] = [...this.turns].sort((one, other) => this.of('waits', other) - this.of('waits', one))
    if (longest === undefined || this.of('waits', longest) <= this.of('waits', tenant) + 1) return 'overloaded'
    const last = this.works.findLast((one) => one.tenant === longest && one.outcome === 'waits')!
    this.leave(last, 'overloaded')
    return 'waits'
  }
}

const index = fc.nat({ max: 20 })
const tenant = fc.constantFrom('a', 'b', 'c')
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('ask' as const), tenant, index }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('end' as const), tenant, index }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('giveUp' as const), tenant, index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const), tenant, index }) },
)

/** Of these tenants, each piece of work begun and ended one after the other. */
const orderOf = async (slots: Slots, tenants: string): Promise<string> => {
  const order: Work[] = []
  for (const name of Array.from(tenants)) new Work(slots, name, (work) => order.push(work))
  for (let ended = 0; ended < tenants.length; ended += 1) {
    order.find(({ outcome }) => outcome === 'runs')?.end()
    await nextTurn()
  }
  return order.map((work) => work.tenant).join('')
}

describe('slots', () => {
  it('run so many, keep the order of each tenant, take turns, and forget who gives up at once', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.nat({ max: 5 }),
        fc.nat({ max: 1 }),
        fc.constantFrom(1, 2, Infinity),
        fc.array(step, { maxLength: 50 }),
        async (count, places, reserve, perTenant, steps) => {
          const slots = new Slots(count, places, { reserve, perTenant })
          const expected = new Expected(count, places, reserve, perTenant)
          const works: Work[] = []
          for (const { kind, tenant: name, index: place } of steps) {
            if (kind === 'ask') works.push(new Work(slots, name, () => undefined))
            else if (kind === 'close') slots.close()
            else works[place]?.[kind]()
            if (kind === 'ask') expected.ask(name)
            else expected[kind](place)
            await nextTurn()
            expect(works.map(({ outcome }) => outcome)).to.deep.equal(expected.works.map(({ outcome }) => outcome))
            expect(slots.load).to.deep.equal({ running: expected.of('runs'), waiting: expected.of('waits') })
          }
        },
      ),
    ))

  it('let no tenant take all of them where others wait', async () => {
    expect(await orderOf(new Slots(1, 10), 'aaaab')).to.equal('abaaa')
    expect(await orderOf(new Slots(2, 10), 'aaaabb')).to.equal('aababa')
  })

  for (const count of [1, 2, 4, 16])
    it(`go to tenants by their weight: ${count} of them`, async () => {
      const weights: Record<string, number> = { a: 1, b: 2, c: 4 }
      const rounds = 100
      const slots = new Slots(count, Infinity, { weightOf: (name) => weights[name] ?? 1 })
      const begun: Work[] = []
      for (let number = 0; number < 7 * rounds; number += 1)
        for (const name of Object.keys(weights)) new Work(slots, name, (work) => begun.push(work))
      for (let ended = 0; ended < 7 * rounds; ended += 1) {
        begun[ended]?.end()
        await nextTurn()
      }
      for (const [name, weight] of Object.entries(weights))
        expect(begun.filter((work) => work.tenant === name).length / (weight * rounds), name).to.be.within(0.9, 1.1)
    })

  it('have a reserve that only tenants without work get', async () => {
    const slots = new Slots(1, 10, { reserve: 1 })
    const works = Array.from('aabbc', (name) => new Work(slots, name, () => undefined))
    await nextTurn()
    expect(works.map(({ outcome }) => outcome)).to.deep.equal(['runs', 'waits', 'runs', 'waits', 'waits'])
    works[0]?.end()
    await nextTurn()
    expect(works.map(({ outcome }) => outcome)).to.deep.equal(['done', 'waits', 'runs', 'waits', 'runs'])
  })

  it('turn away the last of whoever asks for most, and not who asks for little', async () => {
    const slots = new Slots(1, 3)
    const works = Array.from('aaaaab', (name) => new Work(slots, name, () => undefined))
    await nextTurn()
    const outcomes = ['runs', 'waits', 'waits', 'overloaded', 'overloaded', 'waits']
    expect(works.map(({ outcome }) => outcome)).to.deep.equal(outcomes)
  })

  it('are free again when the work fails', async () => {
    const slots = new Slots(1, 0)
    const asking = { tenant: 'a', signal: new AbortController().signal }
    const failed = await slots.run(asking, () => Promise.reject(new Error('broken'))).catch(String)
    expect(failed).to.equal('Error: broken')
    expect(await slots.run(asking, () => Promise.resolve('well'))).to.equal('well')
  })

  it('listen once to a signal under which many wait, of which Node would warn', async () => {
    const slots = new Slots(1, 20)
    const { signal } = new AbortController()
    let end: () => void = () => undefined
    const first = slots.run({ tenant: 'a', signal }, () => new Promise<void>((resolve) => (end = resolve)))
    const others = Array.from({ length: 20 }, () => slots.run({ tenant: 'a', signal }, () => Promise.resolve()))
    expect(getEventListeners(signal, 'abort')).to.have.length(1)
    end()
    await Promise.all([first, ...others])
    expect(getEventListeners(signal, 'abort')).to.have.length(0)
  })

  it('begin nothing for who has given up before asking', async () => {
    const slots = new Slots(1, 1)
    const asking = { tenant: 'a', signal: AbortSignal.abort(new Error('gone')) }
    const failed = await slots.run(asking, () => Promise.resolve('run')).catch(String)
    expect([failed, slots.load.running]).to.deep.equal(['Error: gone', 0])
  })
})
