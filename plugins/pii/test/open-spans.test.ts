import { expect } from 'chai'
import fc from 'fast-check'
import { pii } from '@sallyport/checks'
import { conformanceCases } from '@sallyport/testing'
import { recognizers } from '../src/recognizers/index.js'
import { callOf, detectorOf } from './support.js'
import { parts, shortTexts } from './texts.js'

/** Whatever the score. */
const detector = detectorOf(recognizers, 0.01)
const find = async (text: string) => (await detector.inspect({ text }, callOf())).findings
const open = async (text: string) => (await detector.openSpans({ text }, callOf())).spans

describe('the open spans of a text that grows', () => {
  for (const one of conformanceCases(pii).filter(({ name }) => /^openSpans|^inspect: after/.test(name)))
    it(one.name, () => one.run(detector, { fragments: parts })).timeout(120_000)

  it('hold the end of a local part that is longer than any, however much of it has come', async () => {
    const text = `${'a'.repeat(545)}.jane.miller@acme.com`
    const [address] = await find(text)
    expect(address).to.include({ type: 'EMAIL_ADDRESS', start: 300, end: text.length })
    for (let length = 310; length < text.length; length += 16) {
      const spans = await open(text.slice(0, length))
      expect(
        spans.some((span) => span.start <= Math.max(300, length - 257) && span.end === length),
        `${length}`,
      ).to.equal(true)
    }
  })

  for (const text of ['everybody went for a walk. The', 'everybody went for a walk. the'])
    it(`let a sentence end: ${text}`, async () => {
      const end = text.lastIndexOf(' ')
      const spans = await open(text)
      expect(spans.filter((span) => span.start < end && end < span.end)).to.deep.equal([])
    })

  it('are in order, apart, and in the text', () =>
    fc.assert(
      fc.asyncProperty(shortTexts, async (text) => {
        let last = 0
        for (const { start, end } of await open(text)) {
          expect(start).to.be.at.least(last)
          expect(end).to.be.above(start).and.at.most(text.length)
          last = end
        }
      }),
      { numRuns: 200 },
    )).timeout(60_000)

  for (const [text, expected] of [
    ['Call me. Thanks! ', ''],
    ['Write to jane.doe@exa', 'jane.doe@exa'],
    ['My card is 4111 1111 11', '4111 1111 11'],
    ['to DE89 3704 0044 05', 'DE89 3704 0044 05'],
    ['at 12 Main Street, ', '12 Main Street, '],
  ] as const)
    it(`keep ${JSON.stringify(text)} together from ${JSON.stringify(expected)} on`, async () => {
      const last = (await open(text)).at(-1)
      expect(last?.end === text.length ? text.slice(last.start) : '').to.equal(expected)
    })
})
