import { expect } from 'chai'
import fc from 'fast-check'
import { exampleOf } from '../src/custom/examples.js'
import { recognizers } from '../src/recognizers/index.js'
import { callOf, detectorOf } from './support.js'

/** Whatever the score. */
const detector = detectorOf(recognizers, 0.01)
const find = async (text: string) => (await detector.inspect({ text }, callOf())).findings
const open = async (text: string) => (await detector.openSpans({ text }, callOf())).spans

const examples = recognizers.flatMap(({ examples: own, counterExamples }) =>
  [...own, ...counterExamples].map((example) => exampleOf(example).text),
)
const separators = [' ', ', ', '\n', '', '. ', ' and ', '-', '\u200b', '，', '/', ': ', '>']
const fragments = [
  '12',
  '4111',
  '+49',
  'Mr. ',
  'Дж',
  'а1',
  'e\u0301',
  '👩‍👩‍👧‍👦',
  '\ud83d',
  '\0',
  'ＡＢ１２',
  '<PERSON>',
  '1,',
  '.',
  '@',
  'Suite',
  'Av',
]

/** Texts of what recognisers look for, whole and cut, and of what parts it. */
const texts = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...examples) },
      {
        weight: 2,
        arbitrary: fc.tuple(fc.constantFrom(...examples), fc.nat(30)).map(([text, at]) => text.slice(0, at)),
      },
      { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...examples), fc.nat(30)).map(([text, at]) => text.slice(at)) },
      { weight: 3, arbitrary: fc.constantFrom(...separators) },
      { weight: 2, arbitrary: fc.constantFrom(...fragments) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''))

describe('the open spans of a text that grows', () => {
  it('hold every position that a pattern finds something across, however the text goes on', () =>
    fc.assert(
      fc.asyncProperty(texts, fc.nat(), async (text, at) => {
        const length = text.length ? at % (text.length + 1) : 0
        const spans = await open(text.slice(0, length))
        for (const { type, start, end } of await find(text))
          for (let position = start + 1; position < Math.min(end, length); position += 1)
            if (!spans.some((span) => span.start < position && position < span.end))
              expect.fail(
                `a cut at ${position} goes through ${type} ${JSON.stringify(text.slice(start, end))} (${start}–${end}), ` +
                  `of ${JSON.stringify(text)} cut to ${length} characters: ${JSON.stringify(spans)}`,
              )
      }),
      { numRuns: 1500 },
    )).timeout(120_000)

  it('are in order, apart, and in the text', () =>
    fc.assert(
      fc.asyncProperty(texts, async (text) => {
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
