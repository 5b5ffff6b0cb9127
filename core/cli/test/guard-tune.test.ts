/** `sallyport guard tune`, with a detector whose score of a text is the number that the text begins with. */

import { expect } from 'chai'
import fc from 'fast-check'
import { isSallyportError } from '@sallyport/core'
import { root } from '@sallyport/stand-ins/command-line'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { thresholdForRate, tuneCommand } from '../src/guard/tune.js'
import { createLogger } from '../src/logging.js'

describe('guard tune', function () {
  this.timeout(20_000)
  const directory = useTemporaryDirectory()
  directory.write(
    'numbers.mjs',
    `import { definePlugin, scoreCheck } from '@sallyport/core'
    const capability = scoreCheck('numbers', { stages: { output: 'Looks.' }, order: 10, message: 'found' })
    class Numbers {
      async inspect({ text }) {
        return { findings: [], score: parseFloat(text), explanation: '', detector: 'numbers', latency: 0 }
      }
    }
    export default definePlugin({ name: 'numbers', models: { n: { capability, class: Numbers } } })`,
  )
  const config = directory.write('numbers.json', JSON.stringify({ plugins: ['./numbers.mjs'] }))
  const named = directory.write(
    'named.json',
    JSON.stringify({
      plugins: ['./numbers.mjs'],
      policies: { default: { output: { mine: { check: 'numbers', threshold: 0.25 } } } },
    }),
  )
  const reference = directory.write('reference.yaml', `plugins: ['${root}core/testing/dist/src/reference/index.js']\n`)

  const logger = createLogger({ level: 'warn', format: 'auto', exceptions: 'frames' })
  const tune = async (file: string, options: Readonly<Record<string, string>>): Promise<string> => {
    const lines: string[] = []
    const context = { options: {}, home: directory.path, logger, print: (line: string) => void lines.push(line) }
    await tuneCommand.run?.({ arguments: [file], options: { config, rate: '1', ...options } }, context)
    return lines.join('\n').replaceAll(`${directory.path}/`, '')
  }

  /** Scores from 0.00 to 0.99. */
  const hundred = Array.from({ length: 100 }, (_, index) => `${(index / 100).toFixed(2)} words`)

  it('proposes a threshold for lines of text', async () => {
    const output = await tune(directory.write('mine.txt', `\n${hundred.join('\r\n')}\n`), { rate: '5' })
    // Wilson's intervals of 5 and 50 of 100
    expect(output).to.equal(`numbers on mine.txt: 100 texts, taken for harmless

            threshold  texts  at or above  per 100          95 %
proposed         0.95    100            5      5.0   2.2 to 11.2
configured        0.5    100           50     50.0  40.4 to 59.6

line   score
 101  0.9900
 100  0.9800
  99  0.9700
  98  0.9600
  97  0.9500
  96  0.9400
  95  0.9300
  94  0.9200
  93  0.9100
  92  0.9000

policies: { default: { output: { numbers: { threshold: 0.95 } } } }`)
  })

  it('reads a file that begins with a mark of its encoding', async () => {
    const file = directory.write('marked.jsonl', '\uFEFF{"text":"0.1"}\n{"text":"0.2"}')
    expect(await tune(file, { rate: '0' })).to.contain('2 texts, taken for harmless')
  })

  it('says what few texts cannot promise', async () => {
    const output = await tune(directory.write('mine.txt', hundred.join('\n')), { rate: '2' })
    expect(output).to.contain(
      'With 100 texts, no rate under 3.0 of a hundred can be promised (3/n); 2 of a hundred takes 150 texts.',
    )
  })

  it('counts sources once, and reads the rows of one genre', async () => {
    const row = (score: number, genre: string, source: string) => JSON.stringify({ text: `${score}`, genre, source })
    const rows = [row(0.9, 'manual', 'a'), row(0.1, 'mail', 'b'), row(0.2, 'mail', 'b'), row(0.3, 'mail', 'c')]
    const output = await tune(directory.write('mine.jsonl', rows.join('\n')), { genre: 'mail', rate: '40' })
    // Wilson's for 1/3 of two
    expect(output).to.match(/^proposed +0\.21 +3 +1 +33\.3 +4\.5 to 84\.1$/m)
    expect(output).to.contain('line   score\n   4  0.3000\n   3  0.2000\n   2  0.1000\n')
  })

  it('goes by the entry of the policy, with its name', async () => {
    const output = await tune(directory.write('mine.txt', hundred.join('\n')), { check: 'mine', config: named })
    expect(output).to.match(/^configured +0\.25 +100 +75 /m)
    expect(output).to.contain('policies: { default: { output: { mine: { check: numbers, threshold: 0.99 } } } }')
  })

  const thresholds: [string, number[], number, number | undefined][] = [
    ['above the second of four at a quarter', [0.1, 0.2, 0.3, 0.4], 25, 0.31],
    ['above the highest where none may count', [0.1, 0.2, 0.3, 0.4], 24, 0.41],
    ['above equal scores that are too many', [0.1, 0.4, 0.4, 0.4], 50, 0.41],
    ['at more decimals between close scores', [0.9911, 0.9914], 50, 0.9912],
    ['at a score where no short number lies between two', [0.5, 0.50000001], 50, 0.50000001],
    ['at 1 where only that is higher', [0.1, 0.9999999], 0, 1],
    ['nowhere where too many are 1', [0.1, 1, 1], 40, undefined],
  ]
  for (const [name, scores, rate, threshold] of thresholds)
    it(`finds a threshold ${name}`, () => {
      expect(thresholdForRate(scores, rate)).to.equal(threshold)
    })

  it('never lets more texts count than the rate, and with a lower threshold more would', () => {
    const score = fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 0, max: 9 }).map((tenths) => tenths / 10),
    )
    const scores = fc.array(score, { minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(scores, fc.double({ min: 0, max: 50, noNaN: true }), (all, rate) => {
        const threshold = thresholdForRate(all, rate)
        const reaching = (from: number) => all.filter((one) => one >= from).length
        const most = (rate * all.length) / 100
        expect(reaching(threshold ?? 1) > most).to.equal(threshold === undefined)
        if (threshold === undefined) return
        expect(threshold).to.be.within(0, 1)
        const below = Math.max(...all.filter((one) => one < threshold), -1)
        expect(reaching(below)).to.be.above(most)
      }),
      { numRuns: 500 },
    )
  })

  const fine = () => directory.write('fine.txt', '0.1\n0.2\n')
  const rows = (content: string | Uint8Array) => directory.write('rows.jsonl', content)
  const mistakes: [name: string, file: () => string, options: Record<string, string>, message: string][] = [
    ['a missing file', () => 'gone.txt', {}, 'gone.txt: cannot be read: does the file exist?'],
    ['no rows', () => rows('\n\n'), {}, 'rows.jsonl: has no rows'],
    ['a row without a text', () => rows('{"text":"0.1"}\n{}'), {}, 'rows.jsonl:2: must be a JSON object with a "text"'],
    [
      'an attack',
      () => rows('{"text":"0.1","label":1}'),
      {},
      'rows.jsonl:1: has the label 1: the texts must be harmless',
    ],
    [
      'a label that is neither',
      () => rows('{"text":"0.1","label":2}'),
      {},
      'rows.jsonl:1: must have a "label": 0 or 1',
    ],
    ...(['utf-16 with a mark', 'utf-16'] as const).map((encoding): (typeof mistakes)[number] => [
      encoding,
      () => rows(Buffer.from(`${encoding === 'utf-16' ? '' : '\uFEFF'}{"text":"0.1"}`, 'utf16le')),
      {},
      'rows.jsonl:1: must be UTF-8: save the file in that encoding',
    ]),
    [
      'bytes that are no text',
      () => rows(Buffer.from('{"text":"0.1"}\n{"text":"0.2 caf\xe9"}', 'latin1')),
      {},
      'rows.jsonl:2: must be UTF-8: save the file in that encoding',
    ],
    [
      'an empty text',
      () => rows('{"text":"0.1"}\n{"text":" "}'),
      {},
      'rows.jsonl:2: must have a "text" that is not empty',
    ],
    ...[
      ['genre', '["x"]'],
      ['source', '{}'],
      ['reference', 'null'],
      ['genre', 'true'],
    ].map(([name, value]): (typeof mistakes)[number] => [
      `a ${name} that is ${value}`,
      () => rows(`{"text":"0.1","${name}":${value}}`),
      {},
      `rows.jsonl:1: must have a "${name}" that is a string or a number, or none`,
    ]),
    [
      'a genre that no row has',
      () => rows('{"text":"0.1"}'),
      { genre: 'mail' },
      '--genre: there is no row of the genre "mail"',
    ],
    ['a rate above 50', fine, { rate: '51' }, '--rate: must be a number from 0 to 50'],
    ['a rate below 0', fine, { rate: '-1' }, '--rate: must be a number from 0 to 50'],
    ['an empty rate', fine, { rate: '' }, '--rate: must be a number from 0 to 50'],
    ['a rate that is no number', fine, { rate: 'few' }, '--rate: must be a number from 0 to 50'],
    ['an unknown check', fine, { check: 'spam' }, '--check: there is no detector "spam": there are numbers'],
    [
      'a check of spans',
      fine,
      { check: 'pii', config: reference },
      '--check: pii finds spans and gives texts no score',
    ],
    [
      'a text to compare with nothing',
      fine,
      { check: 'factuality', config: reference },
      'fine.txt:1: must have a "reference", which factuality compares its text with',
    ],
    [
      'too many scores of 1',
      () => rows('{"text":"1"}\n{"text":"1"}\n{"text":"0"}'),
      { rate: '40' },
      'rows.jsonl: 2 of 3 texts have the score 1, so no threshold lets only 40 of a hundred count',
    ],
  ]
  for (const [name, file, options, message] of mistakes)
    it(`refuses ${name}`, async () => {
      const error: unknown = await tune(file(), options).catch((thrown: unknown) => thrown)
      if (!isSallyportError(error)) throw error
      expect(error.code).to.equal('invalid_request')
      expect(error.message).to.contain(message)
    })
})
