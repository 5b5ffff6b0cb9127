import { expect } from 'chai'
import fc from 'fast-check'
import { silentLogger } from '@sallyport/core'
import type { SallyportError } from '@sallyport/core'
import { askedAnswers, askedTokens, estimatePrompt } from '../../src/quotas/estimate.js'
import { MinuteWindow } from '../../src/quotas/minute-window.js'
import type { QuotasOptions } from '../../src/quotas/quota.js'
import { Quotas } from '../../src/quotas/quotas.js'
import { formatDuration } from '../../src/quotas/rate-limit-headers.js'

const start = Date.UTC(2026, 10, 15, 12)

/** Quotas without a store, under a clock that goes and jumps as it is told. */
const quotasAt = (options: Partial<QuotasOptions>) => {
  const time = { wall: start, steady: 0 }
  const clock = { wall: () => time.wall, steady: () => time.steady }
  const quotas = new Quotas(
    { default: {}, teams: {}, prices: {}, sync: false, ...options },
    undefined,
    silentLogger,
    clock,
  )
  const pass = (milliseconds: number) => {
    time.wall += milliseconds
    time.steady += milliseconds
  }
  const spend = async (tokensIn: number, tokensOut = 0, model = 'm'): Promise<SallyportError | undefined> => {
    const charge = await quotas.open({ tenant: 'key', name: 'ci' })
    try {
      charge.begin()
      charge.asks({ max_tokens: 1 })
      charge.reserve({ id: model, generates: true })
      charge.uses(tokensIn, tokensOut)
      return undefined
    } catch (error) {
      return error as SallyportError
    } finally {
      await charge.end()
    }
  }
  return { quotas, time, pass, spend }
}

const hour = 3_600_000
const day = 24 * hour

describe('a quota per minute', () => {
  it('lets a minute’s worth go at once, then what has come back, and never more', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.array(fc.record({ pause: fc.nat({ max: 30_000 }), back: fc.nat({ max: 5 }) }), { maxLength: 200 }),
        (limit, steps) => {
          const window = new MinuteWindow(0)
          let now = 0
          let taken = 0
          for (const { pause } of steps) {
            now += pause
            if (window.left(now, limit) < 1) {
              expect(window.timeUntil(1, now, limit)).to.be.within(0, 60_000)
              continue
            }
            window.use(1, now, limit)
            taken += 1
            expect(taken).to.be.at.most(limit + (now / 60_000) * limit + 1e-6)
            expect(window.usedAt(now, limit)).to.be.within(0, limit)
          }
        },
      ),
    )
  })

  it('is out of reach for a minute at most, however much was used', () => {
    const window = new MinuteWindow(0)
    window.use(1_000_000, 0, 100)
    expect(window.timeUntil(100, 0, 100)).to.equal(60_000)
    window.use(-2_000_000, 0, 100)
    expect(window.left(0, 100)).to.equal(100)
  })

  for (const [milliseconds, text] of [
    [0, '0ms'],
    [5.2, '6ms'],
    [999, '999ms'],
    [1000, '1s'],
    [1500, '1.5s'],
    [60_000, '1m0s'],
    [360_000, '6m0s'],
    [61_250, '1m1.25s'],
  ] as const)
    it(`is told as OpenAI does: ${milliseconds} ms is ${text}`, () =>
      expect(formatDuration(milliseconds)).to.equal(text))
})

describe('quotas by the clock', () => {
  it('begin anew with a day and a month', async () => {
    const { pass, spend } = quotasAt({ default: { tokensPerDay: 100, tokensPerMonth: 150 } })
    expect(await spend(100)).to.equal(undefined)
    expect(await spend(1)).to.deep.include({ retryAfter: (12 * hour) / 1000 })
    pass(12 * hour)
    expect(await spend(50)).to.equal(undefined)
    const refused = await spend(1)
    expect(refused?.message).to.contain('150 tokens per month, of which 0 are left').and.contain('at 2026-12-01T00:00Z')
    expect(refused).to.deep.include({ retryAfter: (15 * day) / 1000 })
    pass(15 * day)
    expect(await spend(100)).to.equal(undefined)
  })

  for (const { name, jump } of [
    { name: 'an hour', jump: -hour },
    { name: 'a day', jump: -day },
    { name: 'a year', jump: -365 * day },
    { name: 'a month forward', jump: 30 * day },
  ])
    it(`never go below nothing, nor lock anybody out for longer than they last, where it jumps by ${name}`, async () => {
      const { time, pass, spend } = quotasAt({
        default: { rpm: 2, tpm: 1000, tokensPerDay: 100, budget: 1 },
        prices: { m: { input: 10_000, output: 0 } },
      })
      expect(await spend(100)).to.equal(undefined)
      time.wall += jump
      for (let at = 0; at < 5; at += 1) {
        const refused = await spend(50)
        if (refused) expect(refused.retryAfter).to.be.within(1, (31 * day) / 1000)
      }
      pass(60_000)
      const { message = '' } = (await spend(0)) ?? {}
      expect(message).not.to.match(/-\d+ (are )?left|per minute/)
      pass(31 * day)
      expect(await spend(1)).to.equal(undefined)
    })

  it('hold what running requests may use, and say that it comes back', async () => {
    const { quotas, spend } = quotasAt({ default: { tokensPerDay: 100 } })
    const running = await quotas.open({ tenant: 'key', name: 'ci' })
    running.begin()
    running.asks({ max_tokens: 90 })
    running.reserve({ id: 'm', generates: true })
    const other = await quotas.open({ tenant: 'key', name: 'ci' })
    other.begin()
    other.asks({ max_tokens: 20 })
    expect(() => other.reserve({ id: 'm', generates: true }))
      .to.throw(/of which 10 are left, and this request may need 20: wait for running requests to end$/)
      .with.property('retryAfter', 1)
    await other.end()
    running.uses(0, 5)
    await running.end()
    expect(await spend(90)).to.equal(undefined)
  })
})

describe('a request’s need', () => {
  for (const { name, body, tokens, answers, asked } of [
    {
      name: 'of messages',
      body: { messages: [{ role: 'user', content: 'x'.repeat(400) }], max_tokens: 7 },
      tokens: 101,
      answers: 1,
      asked: 7,
    },
    { name: 'of prompts', body: { prompt: ['abcd', 'abcdefgh'], n: 2 }, tokens: 3, answers: 4, asked: undefined },
    { name: 'of ids of tokens', body: { input: [1, 2, 3] }, tokens: 3, answers: 1, asked: undefined },
    {
      name: 'of images',
      body: { messages: [{ content: [{ type: 'x', image_url: { url: `data:${'A'.repeat(1_000_000)}` } }] }] },
      tokens: 501,
      answers: 1,
      asked: undefined,
    },
    {
      name: 'of a response',
      body: { input: 'abcd', instructions: 'abcd', max_output_tokens: 9, user: 'not read' },
      tokens: 2,
      answers: 1,
      asked: 9,
    },
  ])
    it(`is estimated: ${name}`, () =>
      expect([estimatePrompt(body), askedAnswers(body), askedTokens(body)]).to.deep.equal([tokens, answers, asked]))
})
