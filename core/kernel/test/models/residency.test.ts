import { setTimeout as sleep, setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import fc from 'fast-check'
import { Residency } from '../../src/models/residency.js'
import type { Loadable } from '../../src/models/residency.js'

const times = { patience: 20, retryPause: 20 }

/** A model that notes what happens to it, and that can be made to fail. */
class Model implements Loadable {
  isLoaded = false
  failure: Error | undefined

  constructor(
    readonly id: string,
    private readonly bytes: number,
    private readonly events: string[] = [],
    readonly keep = 60_000,
  ) {}

  prepare() {
    return Promise.resolve(this.bytes)
  }

  async load() {
    await nextTurn()
    if (this.failure) throw this.failure
    this.isLoaded = true
    this.events.push(`+${this.id}`)
  }

  async unload() {
    this.isLoaded = false
    this.events.push(`-${this.id}`)
    await nextTurn()
  }
}

const requester = (tenant = 'anyone', signal = new AbortController().signal) => ({ tenant, signal })

const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => 'fine',
    (error: unknown) => (error as Error).message,
  )

describe('the residency of models', () => {
  let events: string[]
  beforeEach(() => (events = []))
  const models = (count: number, bytes = 1) =>
    Array.from({ length: count }, (_, at) => new Model('abcdef'[at] ?? '?', bytes, events))

  it('loads a model once for those who ask for it at the same time', async () => {
    const [a] = models(1)
    const residency = new Residency(1, times)
    if (a) (await Promise.all([1, 2, 3].map(() => residency.acquire([a], requester())))).forEach((release) => release())
    expect(events).to.deep.equal(['+a'])
    await residency.stop()
    expect(events).to.deep.equal(['+a', '-a'])
  })

  it('unloads those that were used least recently where there is no room', async () => {
    const [a, b, c] = models(3) as [Model, Model, Model]
    const residency = new Residency(2, times)
    for (const model of [a, b, a, c]) {
      ;(await residency.acquire([model], requester()))()
      await sleep(2)
    }
    expect(events).to.deep.equal(['+a', '+b', '-b', '+c'])
  })

  it('never unloads one in the middle of a request', async () => {
    const [a, b] = models(2) as [Model, Model]
    const residency = new Residency(1, times)
    const release = await residency.acquire([a], requester())
    const waiting = residency.acquire([b], requester())
    await sleep(60)
    expect(events).to.deep.equal(['+a'])
    release()
    ;(await waiting)()
    expect(events).to.deep.equal(['+a', '-a', '+b'])
  })

  it('lets a request wait no longer than its patience for one that others keep asking for', async () => {
    const [a, b] = models(2) as [Model, Model]
    const residency = new Residency(1, times)
    let release = await residency.acquire([a], requester('busy'))
    const waiting = residency.acquire([b], requester('other')).then((end) => end())
    const again: Promise<() => void>[] = []
    for (let turn = 0; turn < 20; turn += 1) {
      const next = residency.acquire([a], requester('busy'))
      again.push(next)
      await sleep(5)
      release()
      release = await Promise.race([next, waiting.then(() => () => undefined)])
    }
    await waiting
    expect(events.slice(0, 3)).to.deep.equal(['+a', '-a', '+b'])
    for (const end of await Promise.all(again)) end()
  })

  it('serves tenants in turns', async () => {
    const [a, b, c, d] = models(4) as [Model, Model, Model, Model]
    const residency = new Residency(1, times)
    const release = await residency.acquire([a], requester('one'))
    const used: string[] = []
    const use = async (model: Model, tenant: string) => {
      const end = await residency.acquire([model], requester(tenant))
      used.push(model.id)
      end()
    }
    const all = [use(b, 'two'), use(c, 'two'), use(d, 'three')]
    await sleep(5)
    release()
    await Promise.all(all)
    expect(used).to.deep.equal(['b', 'd', 'c'])
  })

  it('unloads what nobody has used for as long as it is kept', async () => {
    const brief = new Model('a', 1, events, 10)
    const residency = new Residency(1, times)
    ;(await residency.acquire([brief], requester()))()
    await sleep(50)
    expect(events).to.deep.equal(['+a', '-a'])
  })

  it('refuses at once what cannot fit beside what always stays', async () => {
    const always = new Model('a', 2, events, Infinity)
    const residency = new Residency(3, times)
    ;(await residency.acquire([always], requester()))()
    const problem = await messageOf(residency.acquire([new Model('b', 2, events)], requester()))
    expect(problem).to.match(/^b 2 B cannot be loaded beside 2 B that stay loaded: 3 B may be used; /)
  })

  it('gives the memory of a load that failed back, and tries it again later', async () => {
    const [a, b] = models(2) as [Model, Model]
    const residency = new Residency(1, times)
    a.failure = new Error('damaged')
    for (let at = 0; at < 2; at += 1) expect(await messageOf(residency.acquire([a], requester()))).to.equal('damaged')
    ;(await residency.acquire([b], requester()))()
    a.failure = undefined
    await sleep(40)
    ;(await residency.acquire([a], requester()))()
    expect(events).to.deep.equal(['+b', '-b', '+a'])
  })

  it('lets a request that is aborted leave the queue, while its load goes on', async () => {
    const [a, b] = models(2) as [Model, Model]
    const residency = new Residency(1, times)
    const release = await residency.acquire([a], requester())
    const aborted = new AbortController()
    const waiting = residency.acquire([b], requester('anyone', aborted.signal))
    aborted.abort(new Error('gone'))
    expect(await messageOf(waiting)).to.equal('gone')
    release()
    const loading = new AbortController()
    const first = residency.acquire([b], requester('anyone', loading.signal))
    while (!events.includes('-a')) await nextTurn()
    loading.abort(new Error('gone'))
    await messageOf(first)
    ;(await residency.acquire([b], requester()))()
    expect(events).to.deep.equal(['+a', '-a', '+b'])
  })

  it('keeps within its memory, serves everybody, and takes nothing away, whoever asks for what', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 2, maxLength: 8 }),
        fc.array(fc.tuple(fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 3 }), fc.nat(3), fc.nat(4)), {
          maxLength: 40,
        }),
        async (sizes, requests) => {
          const all = sizes.map((bytes, at) => new Model(`m${at}`, bytes))
          const usable = 15
          const residency = new Residency(usable, { ...times, patience: 1 })
          let largest = 0
          const one = async ([picks, tenant, turns]: (typeof requests)[number]) => {
            const wanted = picks.map((pick) => all[pick % all.length]).filter((model) => model !== undefined)
            const release = await residency.acquire(wanted, requester(String(tenant)))
            for (let turn = 0; turn <= turns; turn += 1) {
              expect(wanted.every(({ isLoaded }) => isLoaded)).to.equal(true)
              const loaded = all.map((model, at) => (model.isLoaded ? (sizes[at] ?? 0) : 0))
              largest = Math.max(
                largest,
                loaded.reduce((sum, bytes) => sum + bytes, 0),
              )
              await nextTurn()
            }
            release()
          }
          await Promise.all(requests.map(one))
          expect(largest).to.be.at.most(usable)
          await residency.stop()
          expect(all.some(({ isLoaded }) => isLoaded)).to.equal(false)
        },
      ),
      { numRuns: 200 },
    ))
})
