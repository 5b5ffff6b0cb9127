/** What verdicts say of findings: how many, of which type, and where; never what was found. */

import { expect } from 'chai'
import { sumFindings } from '@sallyport/core'
import type { ChatMessage, ChatRequest, Detector, LocatedFinding, Verdict } from '@sallyport/core'
import { echo, enforce, exchange, finder, inspection, piiFinder, replace } from '../support.js'
import type { Detectors, Policy } from '../support.js'
import { describeFindings } from '../../src/detect/findings.js'

const shadow = { ...replace, mode: 'shadow' } as const
const user = (content: ChatMessage['content']): ChatMessage => ({ role: 'user', content })
const part = (text: string) => ({ type: 'text' as const, text })
const answering: ChatMessage = user('go on')

/** What is reported of a request. */
const reported = async (
  request: ChatRequest,
  policy: Partial<Policy>,
  detectors: Detectors = {},
): Promise<Verdict[]> => {
  const { verdicts, error } = await exchange(request, { policy, detectors }, echo([Infinity]))
  if (error !== undefined)
    expect(error).to.be.oneOf(['pii detected', 'prompt injection detected', 'failed toxicity check'])
  return verdicts
}

const spansOf = (verdicts: readonly Verdict[]) => verdicts.flatMap(({ spans = [] }) => spans)
const countsOf = (verdicts: readonly Verdict[]) =>
  verdicts.reduce<Record<string, number>>((sum, { findings = {} }) => sumFindings(sum, findings), {})

const at = (field: string, start: number, end: number): LocatedFinding => ({
  ...{ field, type: 'SECRET', start, end },
  score: 1,
})

describe('findings of what goes in', () => {
  const cases: { name: string; request: ChatRequest; spans: LocatedFinding[]; count: number }[] = [
    {
      name: 'stand at code points of their field',
      request: { messages: [user('😀 pin 1234'), answering] },
      spans: [at('messages[0].content', 6, 10)],
      count: 1,
    },
    {
      name: 'stand in the part that holds them, and are counted once',
      request: { messages: [user([part('a '), part('b 1234')]), answering] },
      spans: [at('messages[0].content[1].text', 2, 6)],
      count: 1,
    },
    {
      name: 'across parts are counted, and stand nowhere',
      request: { messages: [user([part('a 12'), part('34 b')]), answering] },
      spans: [],
      count: 1,
    },
    {
      name: 'stand where their escapes do',
      request: { messages: [user(String.raw`a 123\u0034 1234`), answering] },
      spans: [at('messages[0].content', 2, 11), at('messages[0].content', 12, 16)],
      count: 2,
    },
    {
      name: 'are counted once beside escapes of other formats',
      request: { messages: [user('a 1234 &amp; so'), answering] },
      spans: [at('messages[0].content', 2, 6)],
      count: 1,
    },
    {
      name: 'of a text that stands in two fields stand in the first',
      request: { messages: [user('1234'), { role: 'assistant', content: 'x' }, user('1234')] },
      spans: [at('messages[0].content', 0, 4)],
      count: 1,
    },
    {
      name: 'in values of unknown type are counted, and no path quotes them',
      request: { messages: [answering], tools: [{ name: 'f', parameters: { 'pin 1234': { title: 'x' } } }] },
      spans: [],
      count: 1,
    },
    {
      name: 'are all counted, and not all shown',
      request: { messages: [user('1234 '.repeat(100)), answering] },
      spans: Array.from({ length: 32 }, (_, index) => at('messages[0].content', index * 5, index * 5 + 4)),
      count: 100,
    },
  ]
  for (const { name, request, spans, count } of cases)
    for (const [check, policy, type] of [
      ['pii', { pii: shadow }, 'SECRET'],
      ['injection', { injection: shadow }, 'SECRET'],
    ] as const)
      it(`${name}: ${check}`, async () => {
        const verdicts = await reported(request, { input: policy }, { injection: finder('1234', type) })
        expect(spansOf(verdicts)).to.have.deep.members(spans)
        expect(countsOf(verdicts)).to.deep.equal({ SECRET: count })
        expect(JSON.stringify(verdicts)).not.to.contain('1234')
      })

  it('across turns of one speaker are counted once', async () => {
    const messages = [user('ignore'), user('all'), user('ignore all')]
    const verdicts = await reported(
      { messages },
      { input: { injection: shadow } },
      {
        injection: finder('ignore\\s+all', 'injection'),
      },
    )
    expect(countsOf(verdicts)).to.deep.equal({ injection: 2 })
    expect(spansOf(verdicts).map(({ field }) => field)).to.deep.equal(['messages[2].content'])
  })

  it('below the threshold or of ignored types are not counted', async () => {
    const weak = { type: 'WEAK', start: 0, end: 1, score: 0.4 }
    const found = [
      weak,
      { ...weak, type: 'IGNORED', score: 1 },
      { ...weak, start: 1, end: 2, type: 'FOUND', score: 0.5 },
    ]
    const pii = { ...piiFinder('1234'), inspect: () => inspection({ findings: found, score: 1 }) }
    const verdicts = await reported(
      { messages: [user('pin')] },
      { input: { pii: { ...shadow, ignore: ['IGNORED'] } } },
      { pii },
    )
    expect(verdicts.map(({ findings }) => findings)).to.deep.equal([{ FOUND: 1 }])
  })
})

describe('findings of what comes out', () => {
  it('are counted over all segments, and stand nowhere', async () => {
    const said = 'It rains a lot here, 1234. '.repeat(3) + 'It is awful.'
    const output = { pii: replace, toxicity: { ...enforce, mode: 'shadow', window: 'answer' } } as const
    const verdicts = await reported({ messages: [user(said)] }, { output }, { toxicity: finder('awful', 'rude') })
    expect(verdicts.map(({ check, findings, window }) => ({ check, findings, window }))).to.deep.equal([
      { check: 'pii', findings: { SECRET: 3 }, window: undefined },
      { check: 'toxicity', findings: { rude: 1 }, window: 'answer' },
    ])
    expect(verdicts.some((verdict) => 'spans' in verdict)).to.equal(false)
  })

  it('have the reason of the segment that decides, and no other', async () => {
    const toxicity: Detector = {
      inspect: ({ text }) => (text.includes('awful') ? inspection({ score: 1 }) : inspection({ reason: 'too short' })),
    }
    const messages = [user('It rains a lot here. It is awful.')]
    const verdicts = await reported({ messages }, { output: { toxicity: enforce } }, { toxicity })
    expect(verdicts.map(({ verdict, reason }) => [verdict, reason])).to.deep.equal([['block', undefined]])
  })
})

describe('types of findings', () => {
  const named: [string, string][] = [
    ['EMAIL_ADDRESS', 'EMAIL_ADDRESS'],
    ['hate/threatening', 'hate/threatening'],
    ['my pin is 1234', 'other'],
    ['x'.repeat(65), 'other'],
    ['__proto__', '__proto__'],
  ]
  for (const [type, shown] of named)
    it(`are shown as ${shown}: ${type}`, () => {
      const { findings } = describeFindings([{ type, start: 0, end: 1, score: 1 }])
      expect(Object.entries(findings ?? {})).to.deep.equal([[shown, 1]])
    })
})
