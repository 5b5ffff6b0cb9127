/** What becomes of a text in which personal information is looked for: in all its readings, in one budget. */

import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { chat } from '@sallyport/core'
import type { ChatMessage, SpanDetector } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { deaf, onlySpans, piiFinder, replace, run } from '../support.js'
import type { PiiPolicy } from '../support.js'
import { replaceInText } from '../../src/inspect-text.js'
import { checkSpans } from '../../src/replace/spans.js'
import { replaceAcrossTurns } from '../../src/input/across-turns.js'
import { textsOf } from '../../src/fields/walk.js'

/** The text as it stands, and with its escape undone. */
const twoReadings = String.raw`\u0041 1234`

describe('a reading that fails', () => {
  const found = piiFinder('1234')
  const failing = (fails: (text: string) => boolean): SpanDetector => ({
    ...found,
    inspect: (request, inner) =>
      fails(request.text) ? Promise.reject(new Error('boom')) : found.inspect(request, inner),
  })
  const open: PiiPolicy = { ...replace, onFailure: 'open' }
  const cases: [string, (text: string) => boolean][] = [
    ['the last', (text) => !text.includes('\\')],
    ['the first', (text) => text.includes('\\')],
  ]
  for (const [name, fails] of cases)
    it(`takes nothing from what others found, where failures pass: ${name}`, async () => {
      const { said, verdicts } = await run(twoReadings, { input: { pii: open } }, { pii: failing(fails) })
      expect(said).to.equal(String.raw`\u0041 <SECRET>`)
      expect(verdicts.map(({ verdict }) => verdict)).to.deep.equal(['unavailable', 'replace'])
      const block: PiiPolicy = { ...open, action: 'block' }
      expect((await run(twoReadings, { input: { pii: block } }, { pii: failing(fails) })).error).to.equal(
        'pii detected',
      )
    })
})

describe('long texts', () => {
  it('of one tenant are looked at one after the other, beside those of another', async () => {
    const found = piiFinder('1234')
    const running: string[] = []
    const beside: string[] = []
    let meet: () => void = () => undefined
    const met = new Promise<void>((resolve) => (meet = resolve))
    const pii: SpanDetector = {
      ...found,
      inspect: async (request, inner) => {
        running.push(inner.tenant)
        beside.push(running.toSorted().join(''))
        if (running.length > 1) meet()
        await met
        running.splice(running.indexOf(inner.tenant), 1)
        return found.inspect(request, inner)
      },
    }
    const text = `${'word '.repeat(28_000)}1234`
    const check = (tenant: string) => {
      const context = { ...deaf, stage: 'input' as const, call: testCall({ tenant }) }
      return checkSpans(onlySpans(pii, { ...replace, budget: 60_000 }), text, context)
    }
    for (const said of await Promise.all(['a', 'a', 'a', 'b', 'b'].map(check))) expect(said).to.contain('<SECRET>')
    expect(new Set(beside)).to.include('ab')
    for (const tenants of beside) expect(['a', 'b', 'ab']).to.include(tenants)
  })
})

describe('the budget', () => {
  const found = piiFinder('1234')
  const policy: PiiPolicy = { ...replace, budget: 1000 }
  /** Of which one fits into the budget, and two do not. */
  const slowly = async <Result>(work: Promise<Result>) => {
    await sleep(600)
    return work
  }
  const cases: { name: string; text: string; pii: SpanDetector }[] = [
    {
      name: 'readings',
      text: twoReadings,
      pii: { ...found, inspect: (...request) => slowly(found.inspect(...request)) },
    },
    {
      name: 'inspection and replacement',
      text: '1234',
      pii: {
        ...found,
        inspect: (...request) => slowly(found.inspect(...request)),
        replace: (...request) => slowly(found.replace!(...request)),
      },
    },
  ]
  for (const { name, text, pii } of cases)
    it(`is that of a text, whatever its detector does for it: ${name}`, async () => {
      expect((await run(text, { input: { pii: policy } }, { pii })).error).to.equal('safeguard unavailable: pii')
    })
})

describe('entity types that a policy ignores', () => {
  it('are known to the detector, which finds what they would cover', async () => {
    const pii: SpanDetector = {
      ...piiFinder('1234'),
      inspect: ({ text, ignore = [] }, inner) =>
        piiFinder(ignore.includes('URL') ? '1234' : 'nothing').inspect({ text }, inner),
    }
    const { said } = await run('a?b=1234', { input: { pii: { ...replace, ignore: ['URL'] } } }, { pii })
    expect(said).to.equal('a?b=<SECRET>')
  })
})

describe('JSON of millions of characters', () => {
  const many = 2 ** 24
  for (const [name, text] of [
    ['in one string', `{"a":"${'x'.repeat(many)} 1234"}`],
    ['of which most are blanks', `${' '.repeat(many)}{"a":"1234"${' '.repeat(many)}}`],
  ] as const)
    it(`is replaced in: ${name}`, async () => {
      const replaced = await replaceInText(onlySpans(piiFinder('1234')), { text }, testCall())
      expect(replaced === text.replace('1234', '<SECRET>')).to.equal(true)
    }).timeout(30_000)
})

describe('many turns', () => {
  const spans = ({ text }: { text: string }) =>
    Array.from(text.matchAll(/\d+/g), ({ index, 0: { length } }) => ({ start: index, end: index + length }))
  const found = piiFinder('1234')
  const detectors: [string, SpanDetector][] = [
    [
      'a detector that knows what may go on',
      { ...found, openSpans: (request) => Promise.resolve({ spans: spans(request) }) },
    ],
    ['a detector that does not', found],
  ]
  /** Milliseconds of processor time, the best of seven: what else the machine does only adds to it. */
  const timeOf = async (turns: number, pii: SpanDetector): Promise<number> => {
    const messages = Array.from({ length: turns }, (): ChatMessage => ({ role: 'user', content: '1234' }))
    const times: number[] = []
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const begin = process.cpuUsage()
      await replaceAcrossTurns(
        chat.methods.stream!,
        { messages },
        textsOf(chat.methods.stream!.input, { messages }),
        onlySpans(pii, { ...replace, budget: 60_000 }),
        { ...deaf, call: testCall(), stage: 'input' },
      )
      const { user, system } = process.cpuUsage(begin)
      times.push((user + system) / 1000)
    }
    return Math.min(...times)
  }
  for (const [name, pii] of detectors)
    it(`are read in time that grows with their number, by ${name}`, async () => {
      // Linear is 4 times as much, quadratic 16 times.
      expect(await timeOf(2 ** 14, pii)).to.be.at.most(9 * (await timeOf(2 ** 12, pii)))
    }).timeout(60_000)
})
