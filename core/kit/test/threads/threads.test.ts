import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { errorTrace } from '@sallyport/core'
import { turnsDuring } from '@sallyport/stand-ins/turns-during'
import { inSharedThread, SharedThreads, jobError } from '../../src/threads/shared-threads.js'
import { JobFailure, Threads } from '../../src/threads/threads.js'
import type { ThreadsOptions } from '../../src/threads/threads.js'
import type { Asked, Setup } from './work.js'

const module = new URL('./work.js', import.meta.url).href
const memory = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 8 }
const idle = new AbortController().signal
const patience = 30_000

describe('threads', function () {
  this.timeout(60_000)
  let threads: Threads
  const start = (options: Partial<ThreadsOptions> = {}) =>
    (threads = new Threads({ count: 1, maxWaiting: 8, memory, ...options }))
  afterEach(() => threads.stop())

  const run = (input: Asked, { tenant = 'a', signal = idle, limit = patience } = {}) =>
    threads.run({ module, input, setup: { id: 'one', value: 'made of this' } }, { tenant, signal }, limit)
  const caught = (input: Asked, options?: Parameters<typeof run>[1]) =>
    run(input, options).then(
      () => 'nothing thrown',
      (error: unknown) => error,
    )

  /** Which thread does the next job. */
  const threadOf = async () => ((await run({ env: true })) as { threadId: number }).threadId

  it('do a job with what the module made of its setup, once for each thread', async () => {
    start()
    for (const echo of [1, { a: ['b'] }])
      expect(await run({ echo })).to.deep.equal({ echo, setup: 'made of this', made: 1 })
  })

  for (const [end, limit, reason] of [
    ['spin', 50, 'late'],
    ['hang', 50, 'late'],
    ['fill', patience, 'out of memory'],
    ['exit', patience, 'ended'],
  ] as const)
    it(`are replaced where a job comes to no end: ${end}`, async () => {
      start()
      expect(await run({ echo: 1 })).to.have.property('made', 1)
      const failing = caught({ end }, { limit })
      expect(await turnsDuring(failing, 100)).to.equal(true)
      expect(await failing)
        .to.be.instanceOf(JobFailure)
        .with.property('reason', reason)
      expect(await run({ echo: 2 })).to.deep.include({ echo: 2, made: 1 })
    })

  it('do a job again in a new one where earlier jobs had filled theirs', async () => {
    start()
    // Two thirds of its memory.
    const filling = { keep: 2600 }
    const first = (await run(filling)) as { threadId: number }
    expect(await run(filling))
      .to.have.property('threadId')
      .that.is.above(first.threadId)
  })

  it('do not wait for ever for a job that takes no time of a processor', async () => {
    start()
    await run({ echo: 1 })
    // Until this process alone has worked that long would take minutes.
    expect(await caught({ end: 'hang' }, { limit: 300 })).to.have.property('reason', 'late')
  })

  const runWith = (value: Setup, limit = patience) =>
    threads.run({ module, input: { echo: 1 }, setup: { id: 'another', value } }, { tenant: 'a', signal: idle }, limit)

  it('do not count what it takes to make the setup among the time of a job', async () => {
    start()
    // Five times the limit is as long as a job may wait for a processor.
    expect(await runWith({ slow: 700 }, 100)).to.have.property('echo', 1)
  })

  it('make a setup again where that failed', async () => {
    start()
    const failed: unknown = await runWith('fails at first').catch((error: unknown) => error)
    expect(failed).to.have.property('message', 'not yet')
    expect(await runWith('fails at first')).to.include({ echo: 1, made: 1 })
  })

  it('have no environment, which holds keys', async () => {
    start()
    expect(await run({ env: true })).to.deep.include({ env: {} })
  })

  it('go on where a job cannot be sent', async () => {
    start()
    const before = await threadOf()
    expect(await caught({ echo: () => undefined })).to.have.property('name', 'DataCloneError')
    expect(await threadOf()).to.equal(before)
  })

  it('say in the log why a job failed', async () => {
    start()
    const trace = errorTrace(await caught({ end: 'fill' }))
    expect(trace).to.deep.include({ name: 'JobFailure', message: 'a job in a thread: out of memory' })
    expect(trace.cause).to.include({ code: 'ERR_WORKER_OUT_OF_MEMORY' })
    expect(new JobFailure('ended', { no: 'error' })).not.to.have.property('cause')
  })

  it('tell what a job throws, and go on', async () => {
    start()
    expect(await caught({ end: 'throw' }))
      .to.be.instanceOf(RangeError)
      .with.property('message', 'a mistake')
    expect(await caught({ end: 'refuse' })).to.deep.include({
      code: 'safeguard_unavailable',
      details: { problem: 'too much' },
    })
    expect(await run({ echo: 1 })).to.have.property('made', 1)
  })

  for (const [end, what] of [
    ['hang', 'the thread goes on where the job gives up'],
    ['spin', 'a new one takes over where it does not'],
  ] as const)
    it(`wait for nobody who has gone: ${what}`, async () => {
      start()
      const before = await threadOf()
      const gone = new AbortController()
      const asked = caught({ end }, { signal: gone.signal, limit: 20 * patience })
      await run({ echo: 1 }, { signal: AbortSignal.abort(new Error('never came')) }).catch(() => undefined)
      gone.abort(new Error('left'))
      expect(await asked).to.have.property('message', 'left')
      expect((await threadOf()) === before).to.equal(end === 'hang')
    })

  it('keep one for others where a tenant may not have all', async () => {
    start({ count: 2, perTenant: 1 })
    const gone = new AbortController()
    const greedy = [1, 2, 3].map(() => caught({ end: 'hang' }, { tenant: 'greedy', signal: gone.signal }))
    expect(await run({ echo: 1 }, { tenant: 'b' })).to.have.property('echo', 1)
    gone.abort(new Error('left'))
    await Promise.all(greedy)
  })

  it('end when they have been idle, and not at work; new ones do what is asked later', async () => {
    start({ idleTimeout: 1 })
    const first = await threadOf()
    expect(await run({ wait: 20 }, { tenant: 'b' })).to.equal('waited')
    let looks = 0
    while ((await threadOf()) === first) {
      expect((looks += 1)).to.be.below(500)
      await sleep(20)
    }
  })

  it('refuse what waits and what comes when they are stopped', async () => {
    start()
    const asked = [caught({ end: 'spin' }), caught({ echo: 1 })]
    await threads.stop()
    for (const error of [...(await Promise.all(asked)), await caught({ echo: 1 })])
      expect(error).to.have.property('code', 'not_ready')
  })
})

describe('the threads that detectors share', function () {
  this.timeout(60_000)
  const asking = { tenant: 'a', signal: idle }

  const detector = (setup: Setup) => new SharedThreads<Setup, Asked, object>(new URL(module), setup)
  const ways = { here: () => ({ here: true }), unpack: (answer: object) => answer }
  const textOf = (length: number) => ({ text: 'a'.repeat(length) })

  it('take long texts', async () => {
    const one = detector('one')
    expect(await one.run({ echo: 1 }, textOf(8192), asking, ways)).to.deep.equal({ here: true })
    expect(await one.run({ echo: 1 }, textOf(8193), asking, ways)).to.include({ echo: 1, setup: 'one' })
    await one.close()
  })

  it('end with the last detector', async () => {
    const threadOf = async () =>
      (await inSharedThread<{ threadId: number }>({ module, input: { env: true } }, 1, asking)).threadId
    const [one, other] = [detector('one'), detector('other')]
    const first = await threadOf()
    await one.close()
    await one.close()
    expect(await threadOf()).to.equal(first)
    await other.close()
    expect(await threadOf()).to.be.above(first)
  })

  it('are left to what they still do when the last detector closes', async () => {
    const closed = detector('one')
    await inSharedThread({ module, input: { echo: 1 } }, 1, asking)
    const asked = inSharedThread({ module, input: { wait: 200 } }, 1, asking)
    await closed.close()
    expect(await asked).to.equal('waited')
  })

  for (const [reason, code] of [
    ['late', 'safeguard_unavailable'],
    ['out of memory', 'safeguard_unavailable'],
    ['cancelled', 'safeguard_unavailable'],
    ['ended', 'internal'],
    ['not started', 'internal'],
  ] as const)
    it(`say that a text is not checked where a job came to no end: ${reason}`, () => {
      expect(jobError(new JobFailure(reason))).to.have.property('code', code)
    })

  it('end with a job that ends them, which has failed', async () => {
    const asked = inSharedThread({ module, input: { end: 'exit' } }, 1, asking)
    expect(await asked.catch((thrown: unknown) => thrown)).to.have.property('code', 'internal')
    expect(await inSharedThread({ module, input: { echo: 1 } }, 1, asking)).to.have.property('echo', 1)
  })
})
