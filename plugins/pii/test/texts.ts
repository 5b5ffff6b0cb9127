/** Texts for property tests: of what recognisers look for, whole and cut, and of what parts it. */

import fc from 'fast-check'
import { exampleOf } from '../src/custom/examples.js'
import { recognizers } from '../src/recognizers/index.js'

const examples = recognizers.flatMap(({ examples: own, counterExamples }) =>
  [...own, ...counterExamples].map((example) => exampleOf(example).text),
)
/** Whole, and in pieces. */
const encoded = ['my card is 4111 1111 1111 1111', 'jane.miller@acme.com', 'nothing of anyone'].flatMap((text) => {
  const base64 = Buffer.from(text).toString('base64')
  return [base64, ...[4, 8, 10].map((length) => (base64.match(new RegExp(`.{1,${length}}`, 'g')) ?? []).join(' '))]
})
const separators = [
  ' ',
  ', ',
  '\n',
  '',
  '. ',
  ' and ',
  '-',
  '\u200b',
  '\u0007',
  ' + ',
  '→',
  '" + "',
  '，',
  '/',
  ': ',
  '>',
]
const fragments = [
  '12',
  '4111',
  '+49',
  'Mr. ',
  'Дж',
  'а1',
  'жа',
  'getElementById',
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

const example = fc.constantFrom(...examples, ...encoded)

/** For texts that are put together in any order. */
export const parts: readonly string[] = [...examples, ...encoded, ...separators, ...fragments]

const weighted = [
  { weight: 4, arbitrary: example },
  { weight: 2, arbitrary: fc.tuple(example, fc.nat(30)).map(([text, at]) => text.slice(0, at)) },
  { weight: 2, arbitrary: fc.tuple(example, fc.nat(30)).map(([text, at]) => text.slice(at)) },
  { weight: 3, arbitrary: fc.constantFrom(...separators) },
  { weight: 2, arbitrary: fc.constantFrom(...fragments) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
]

const prose = [
  'It rains a lot here. ',
  'The meeting was long, and nobody said much! ',
  '\r\n\r\n',
  'Write to ',
  'my SSN is ',
  'שלום עולם. ',
  '電話番号は',
  '\\n',
  '\\u0040',
]

/** Without a space, or of one kind: each is longer than what is looked at behind a cut, or repeated so often. */
const runs = [
  'x',
  '4111 1111 1111 1111 ',
  '41',
  'jane@example.org',
  'Jane Miller ',
  'https://example.org/',
  '12 Main Street, ',
]

const run = fc
  .tuple(fc.constantFrom(...runs), fc.integer({ min: 100, max: 900 }))
  .map(([part, length]) => part.repeat(Math.ceil(length / part.length)))

/** Shorter than a segment, mostly. */
export const shortTexts: fc.Arbitrary<string> = fc
  .array(fc.oneof(...weighted), { minLength: 1, maxLength: 6 })
  .map((some) => some.join(''))

/** Of many segments. */
export const longTexts: fc.Arbitrary<string> = fc
  .array(fc.oneof(...weighted, { weight: 3, arbitrary: fc.constantFrom(...prose) }, { weight: 1, arbitrary: run }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((some) => some.join(''))
