import { expect } from 'chai'
import fc from 'fast-check'
import { isSallyportError } from '@sallyport/core'
import { splitIntoChunks } from '@sallyport/testing'
import { Segmenter } from '../../src/output/segmenter.js'
import type { OpenSpans, Segment } from '../../src/output/segmenter.js'
import { openDigits } from './support.js'

const nothingOpen: OpenSpans = () => Promise.resolve([])

const segmentsOf = async (
  chunks: readonly string[],
  open: OpenSpans = nothingOpen,
  held = false,
): Promise<Segment[]> => {
  const segmenter = new Segmenter(open, held)
  const segments: Segment[] = []
  for (const chunk of chunks) for await (const segment of segmenter.push(chunk) ?? []) segments.push(segment)
  return [...segments, ...segmenter.takeRest()]
}

const textsOf = async (...[chunks, open, held]: Parameters<typeof segmentsOf>) =>
  (await segmentsOf(chunks, open, held)).map(({ text }) => text)

/** Made of what decides about cuts. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '. ',
        '! ',
        '.\n',
        '\n\n',
        '。',
        '?" ',
        ' ',
        'Dr. ',
        'e.g. ',
        '4111 1111',
        '\\u0031',
        '\\',
        '🙂',
        '👩‍👩‍👧',
        'é',
        '\r\n',
        '[',
        '{"',
        '1] ',
        'true',
      ),
      fc.stringMatching(/^[a-z0-9]{1,12}$/),
      fc.constantFrom('x'.repeat(700), 'word '.repeat(150), '1 '.repeat(300), '\n'.repeat(600)),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''))

describe('a segmenter', () => {
  const cases: { name: string; text: string; segments: string[] }[] = [
    {
      name: 'at the end of sentences',
      text: 'It rains a lot here. Does it? "Yes, it does." Well then.',
      segments: ['It rains a lot here. ', 'Does it? "Yes, it does." ', 'Well then.'],
    },
    {
      name: 'not after titles and initials',
      text: 'Ask Dr. J. Smith of the U.S. about it. He knows.',
      segments: ['Ask Dr. J. Smith of the U.S. about it. ', 'He knows.'],
    },
    {
      name: 'not within numbers and names',
      text: 'It costs 12.50 at example.com today. Buy.',
      segments: ['It costs 12.50 at example.com today. ', 'Buy.'],
    },
    {
      name: 'at the end of lines',
      text: '- bread and butter\r\n- milk\n\nThat is all',
      segments: ['- bread and butter\r\n', '- milk\n\nThat is all'],
    },
    {
      name: 'where no space follows a sentence',
      text: '今日は天気がとてもいいですね皆さん。明日も「晴れ。」でしょうか、どうなんでしょう。はい',
      segments: ['今日は天気がとてもいいですね皆さん。', '明日も「晴れ。」でしょうか、どうなんでしょう。', 'はい'],
    },
    {
      name: 'nowhere in JSON',
      text: ' {"a": "It rains a lot here. Does it?"} ',
      segments: [' {"a": "It rains a lot here. Does it?"} '],
    },
    ...['[[1, 2]', '[ true', '[-1', '{ }', '[1', '[1, 2]'].map((begin) => ({
      name: `nowhere in what begins as JSON does: ${begin}`,
      text: `${begin}, "It rains a lot here. Does it?"`,
      segments: [`${begin}, "It rains a lot here. Does it?"`],
    })),
    ...['[Home](/x) is', '[1] Smith says', '[note] here', '[truely', '{name} of', '[ ] a task that'].map((begin) => ({
      name: `as any text what begins with a bracket: ${begin}`,
      text: `${begin} it rains a lot here. Does it?`,
      segments: [`${begin} it rains a lot here. `, 'Does it?'],
    })),
    { name: 'nothing', text: '', segments: [] },
  ]
  for (const { name, text, segments } of cases)
    it(`cuts ${name}`, async () => {
      expect(await textsOf([text])).to.deep.equal(segments)
    })

  it('cuts a text without sentences between words, and one without words between characters', async () => {
    const [word = ''] = await textsOf(['word '.repeat(400)])
    expect(word).to.have.lengthOf(510)
    const [family = ''] = await textsOf(['👩‍👩‍👧'.repeat(400)])
    expect(family).to.have.lengthOf(512)
    const [marks = ''] = await textsOf([`a${'\u0301'.repeat(2000)}`])
    expect(marks).to.have.lengthOf(512)
  })

  it('holds a text that is said to be one', async () => {
    const text = 'It rains a lot here. Does it? Yes.'
    expect(await textsOf([text], nothingOpen, true)).to.deep.equal([text])
  })

  it('gives each segment what stands before it', async () => {
    const [, second] = await segmentsOf(['It rains a lot here. Does it rain?'])
    expect(second).to.include({ before: 'It rains a lot here. ', start: 21, end: 34 })
  })

  it('makes the same segments, however the text arrives', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), async (text, sizes) => {
        const whole = await segmentsOf([text], openDigits)
        expect(await segmentsOf(splitIntoChunks(text, sizes), openDigits)).to.deep.equal(whole)
        expect(whole.map((segment) => segment.text).join('')).to.equal(text)
        for (const { start, end, text: part } of whole) expect(text.slice(start, end)).to.equal(part)
      }),
      { numRuns: 300 },
    )
  })

  it('does not move its cuts when the text goes on', async () => {
    await fc.assert(
      fc.asyncProperty(texts, texts, async (text, more) => {
        const whole = await segmentsOf([text + more], openDigits)
        const cuts = whole.map(({ end }) => end)
        const early = new Segmenter(openDigits, false)
        for await (const { end } of early.push(text) ?? []) expect(cuts).to.include(end)
      }),
      { numRuns: 200 },
    )
  })

  it('cuts no character, no escape and nothing that is open', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const segments = await segmentsOf([text], openDigits)
        for (const { end } of segments.slice(0, -1)) {
          expect(text.slice(end - 1, end + 1)).not.to.match(/^[\ud800-\udbff][\udc00-\udfff]$/)
          expect(text.slice(Math.max(0, end - 40), end)).not.to.match(/\\u[\da-f]{0,3}$/)
          for (const { index, 0: digits } of text.matchAll(/\d(?:[ ]?\d)+/g))
            expect(end <= index || end >= index + digits.length, `${end} in ${digits}`).to.equal(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('keeps segments short', async () => {
    await fc.assert(
      fc.asyncProperty(
        texts.filter((text) => !/^\s*[[{]/.test(text)),
        async (text) => {
          for (const segment of await textsOf([text])) expect(segment.length).to.be.at.most(1024 + 16)
        },
      ),
    )
  })

  it('gives a text up that can be cut nowhere', async () => {
    const everything: OpenSpans = (text) => Promise.resolve([{ start: 0, end: text.length }])
    const error = await segmentsOf(
      Array.from({ length: 200 }, () => 'word '.repeat(50)),
      everything,
    ).catch((reason: unknown) => reason)
    expect(isSallyportError(error) && error.message).to.equal(
      'safeguard unavailable: the answer has 32768 characters without a place to cut it',
    )
  })
})
