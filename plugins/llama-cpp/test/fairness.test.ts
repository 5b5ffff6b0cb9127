import { setMaxListeners } from 'node:events'
import { expect } from 'chai'
import { isSallyportError } from '@sallyport/core'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import type { NativeContext } from '../src/engine/native-context.js'
import type { Engine, EngineOptions } from '../src/engine/engine.js'
import { answerOf, loadEngine, stream } from './support/fixtures.js'
import type { Question } from './support/fixtures.js'
import { parrot } from './support/parrot.js'

const contextLength = 1024
const sayings = [
  { after: ':', chunks: ['one ', 'two ', 'three ', 'four ', 'five '] },
  { after: '.', chunks: ['tick ', 'tock '], endless: true },
]

/** Milliseconds of an evaluation, for what each token of it takes on two cores. */
const costOf = (tokens: number) => 4 + 3 * tokens
const slice = 80

/** The clock stands still but while a model evaluates: what takes how long does not depend on the machine. */
const withOwnClock = async (engine: Engine, work: (now: () => number) => Promise<void>): Promise<void> => {
  const { context } = (engine as unknown as { readonly generator: { readonly context: NativeContext } }).generator
  const evaluate = context.evaluate.bind(context)
  let time = 1000
  context.evaluate = async (entries) => {
    const results = await evaluate(entries)
    time += costOf(entries.reduce((sum, { tokens }) => sum + tokens.length, 0))
    return results
  }
  try {
    performance.now = () => time
    await work(() => time)
  } finally {
    Reflect.deleteProperty(performance, 'now')
  }
}

describe('tenants of a model', () => {
  const { write: file } = useTemporaryDirectory()
  let path: string
  before(() => void (path = file('parrot.gguf', parrot(sayings, { contextLength }))))

  const withEngine = async (options: Partial<EngineOptions>, work: (engine: Engine) => Promise<void>) => {
    const engine = await loadEngine(path, { contextLength, queue: 64, sliceMilliseconds: slice, ...options })
    try {
      await work(engine)
    } finally {
      await engine.stop()
    }
  }

  /** Keeps so many requests of a tenant under way, until the work has ended. */
  const beside = async (engine: Engine, many: number, question: Question, work: () => Promise<void>) => {
    const { signal } = new AbortController()
    const gone = new AbortController()
    setMaxListeners(0, gone.signal)
    const greedy = Array.from({ length: many }, async (_, index) => {
      while (!gone.signal.aborted)
        await answerOf(
          engine,
          { ...question, prompt: `${index} ${question.prompt as string}`, tenant: 'a' },
          gone.signal,
        )
    })
    const ended = Promise.allSettled(greedy)
    const chunks = stream(engine, { prompt: '.', maxTokens: 3, tenant: 'a' }, signal)
    while (!(await chunks.next()).done);
    await work()
    gone.abort(new Error('enough'))
    await ended
  }

  const hostile: { name: string; many: number; question: Question }[] = [
    { name: 'forty answers of 64 tokens', many: 40, question: { prompt: 'x'.repeat(30) + '.', maxTokens: 64 } },
    { name: 'answers without an end', many: 8, question: { prompt: 'x.', maxTokens: 700 } },
    { name: 'long prompts', many: 8, question: { prompt: 'x'.repeat(900) + '.', maxTokens: 16 } },
  ]
  let asked = 0
  /** Begins like no other, so that no cache helps. */
  const modest = (): Question => ({ prompt: `${(asked += 1)}${'y'.repeat(30)}.`, maxTokens: 16, tenant: 'b' })

  for (const { name, many, question } of hostile)
    it(`take little longer beside one that asks for ${name}`, () =>
      withEngine({ parallel: 4 }, (engine) =>
        withOwnClock(engine, async (now) => {
          const timed = async () => {
            const started = now()
            await answerOf(engine, modest())
            return now() - started
          }
          for (let count = 0; count < 10; count += 1) await timed()
          const alone = await timed()
          await beside(engine, many, question, async () => {
            for (let count = 0; count < 6; count += 1) expect(await timed()).to.be.at.most(3 * alone + slice)
          })
        }),
      )).timeout(60_000)

  it('take turns where there is one sequence: a generation pauses when it has said 16 tokens', () =>
    withEngine({ parallel: 1 }, (engine) =>
      withOwnClock(engine, async (now) => {
        await beside(engine, 3, { prompt: 'x'.repeat(30) + '.', maxTokens: 700 }, async () => {
          // of the one that pauses all is evaluated again: its prompt, and what it said in turns of 16 tokens
          const turn = costOf(33 + 6 * 16) + 16 * costOf(1)
          for (let count = 0; count < 5; count += 1) {
            const started = now()
            await answerOf(engine, modest())
            expect(now() - started).to.be.at.most(2 * (costOf(31) + 16 * costOf(1)) + turn)
          }
        })
      }),
    ))

  for (const parallel of [1, 2])
    it(`get a sequence of whoever has most, whose answer goes on as if nothing had been: ${parallel}`, () =>
      withEngine({ parallel }, async (engine) => {
        const order: string[] = []
        const ask = async (tenant: string, question: Question) => {
          const answer = await answerOf(engine, { ...question, tenant })
          order.push(tenant)
          return answer
        }
        const long = Array.from({ length: parallel }, () => ask('a', { prompt: 'go on.', maxTokens: 600 }))
        const queued = ask('a', { prompt: 'me too.', maxTokens: 10 })
        await new Promise((resolve) => setTimeout(resolve, 5))
        const short = ask('b', { prompt: 'say:' })
        expect((await short).text).to.equal('one two three four five ')
        for (const { text, end } of await Promise.all(long)) {
          expect(text).to.equal('tick tock '.repeat(300))
          expect(end?.usage).to.deep.equal({ promptTokens: 6, cachedTokens: 0, completionTokens: 600 })
        }
        await queued
        expect(order.indexOf('b')).to.be.lessThan(order.length - 2)
      }))

  it('that have gone while their generation pauses, leave nothing behind', () =>
    withEngine({ parallel: 1 }, async (engine) => {
      const gone = new AbortController()
      const paused = answerOf(engine, { prompt: 'go on.', maxTokens: 900, tenant: 'a' }, gone.signal).catch(String)
      await new Promise((resolve) => setTimeout(resolve, 5))
      for await (const chunk of stream(engine, { prompt: 'go on.', maxTokens: 14, tenant: 'b' }))
        if ('text' in chunk) gone.abort(new Error('gone'))
      expect(await paused).to.equal('Error: gone')
      expect((await answerOf(engine)).text).to.equal('one two three four five ')
    }))

  it('are not turned away because another one fills the queue', () =>
    withEngine({ parallel: 1, queue: 3 }, async (engine) => {
      const outcome = (tenant: string) =>
        answerOf(engine, { prompt: 'go on.', maxTokens: 50, tenant }).then(
          () => 'answered',
          (error: unknown) => (isSallyportError(error) ? `${error.code} ${String(error.retryAfter)}` : String(error)),
        )
      const greedy = Array.from({ length: 5 }, () => outcome('a'))
      const other = outcome('b')
      expect(await other).to.equal('answered')
      const outcomes = await Promise.all(greedy)
      expect(outcomes.filter((one) => one === 'answered')).to.have.length(3)
      for (const one of outcomes) expect(one).to.match(/^(answered|overloaded [1-9]\d?)$/)
    }))
})
