/**
 * Where a stream is cut: for detectors that cannot say what is open, between its texts, and where it can be cut
 * nowhere.
 */

import { expect } from 'chai'
import fc from 'fast-check'
import type { ChatChunk, Inspection, SpanDetector, Detector } from '@sallyport/core'
import { timed } from '@sallyport/stand-ins/timed'
import { splitIntoChunks } from '@sallyport/testing'
import { lastBoundary, withoutCutEscape } from '../../src/output/boundaries.js'
import { enforce, finder, piiFinder, replace } from '../support.js'
import { guarded, hear, listen, reply, sentence } from './streams.js'

const listeningTo = (detector: Detector, texts: string[]): Detector => ({
  inspect: (request, inner): Promise<Inspection> => {
    texts.push(request.text)
    return detector.inspect(request, inner)
  },
})

describe('a text whose detector cannot say what is open', () => {
  const silent = piiFinder('1234')
  const output = { pii: { ...replace, budget: 1000 } }

  it('is cut only where sentences and lines end', async () => {
    const words = fc.constantFrom(
      '1234',
      '12',
      '34',
      ' ',
      '. ',
      '\n',
      'It rains here. ',
      'x'.repeat(600),
      'word '.repeat(150),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(words, { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6 }),
        async (parts, sizes) => {
          const text = parts.join('')
          const seen: string[] = []
          const pii: SpanDetector = { ...silent, ...listeningTo(silent, seen) }
          const { said } = await hear(splitIntoChunks(text, sizes), output, { pii })
          expect(said).to.equal(text.replaceAll('1234', '<SECRET>'))
          expect(seen.join('')).to.equal(text)
          for (const segment of seen.slice(0, -1)) expect(segment).to.match(/(?:\.\s+|\n\s*)$/)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('is not cut where another one goes on', async () => {
    const chunks: ChatChunk[] = [{ delta: 'so 12' }, { reasoning: 'x' }, { delta: '34' }, { reasoning: 'y' }]
    expect((await listen(guarded(reply(chunks), output, { pii: silent }))).said).to.equal('so <SECRET>')
  })

  it('is let go where another one goes on behind a sentence', async () => {
    const seen: string[] = []
    const pii: SpanDetector = { ...silent, ...listeningTo(silent, seen) }
    await listen(guarded(reply([{ reasoning: sentence }, { delta: 'Well' }, { reasoning: 'So.' }]), output, { pii }))
    expect(seen).to.deep.equal([sentence, 'So.', 'Well'])
  })
})

describe('texts that go on in turns', () => {
  it('are not cut into their words', async () => {
    const words = 'You are a really aw ful person'.split(/(?<= )/)
    const chunks = words.flatMap((delta): ChatChunk[] => [
      { delta: delta.replace(/^aw $/, 'aw') },
      { reasoning: 'hm ' },
    ])
    const checks = { toxicity: enforce }
    const seen: string[] = []
    const toxicity = listeningTo(finder('awful', 'toxicity'), seen)
    expect((await listen(guarded(reply(chunks), checks, { toxicity }))).error).to.equal('failed toxicity check')
    expect(seen).to.include('are a really awful person')
  })
})

describe('a text that can be cut nowhere', () => {
  const open: SpanDetector = {
    ...piiFinder('1234'),
    openSpans: ({ text }) => Promise.resolve({ spans: [{ start: 0, end: text.length }] }),
  }
  const text = `${'x'.repeat(40_000)} 1234`
  const long = `${'word '.repeat(900_000)}1234`
  const cases: { name: string; text: string; output: Parameters<typeof hear>[1]; error?: string }[] = [
    {
      name: 'ends the answer, and says why',
      text,
      output: { pii: replace },
      error: 'safeguard unavailable: the answer has 32768 characters without a place to cut it',
    },
    { name: 'passes where failures do', text, output: { pii: { ...replace, onFailure: 'open' } } },
    {
      name: 'ends the answer where it is checked as a whole',
      text: long,
      output: { pii: { ...replace, window: 'answer' } },
      error: 'safeguard unavailable: the answer has more than 4194304 characters, and is checked as a whole',
    },
    {
      name: 'passes where failures do, though it is checked as a whole',
      text: long,
      output: { pii: { ...replace, window: 'answer', onFailure: 'open', budget: 5000 } },
    },
  ]
  for (const { name, text: said, output, error } of cases)
    it(name, async () => {
      const heard = await hear([said], output, { pii: open })
      expect(heard.error).to.equal(error)
      expect(heard.said).to.equal(error ? '' : said.replaceAll('1234', '<SECRET>'))
    }).timeout(20_000)

  it('is none where it is only long', async () => {
    const text = `${'word '.repeat(99)}end. `.repeat(9000)
    const detector = {
      inspect: () => Promise.resolve({ findings: [], score: 0, explanation: '', detector: '', latency: 0 }),
    }
    expect((await hear([text], { toxicity: { ...enforce, budget: 10_000 } }, { toxicity: detector })).error).to.equal(
      undefined,
    )
  }).timeout(60_000)
})

it('a place to cut is found at once among long runs of backslashes', async () => {
  const text = `${'\\'.repeat(700)}x`.repeat(8)
  const { result, total } = await timed(() => Promise.resolve(lastBoundary(text, 0, 1024, () => true)))
  expect(result).to.equal(701)
  expect(total).to.be.below(100)
})

it('a comparison is no beginning of an element, behind which everything would be held', () => {
  for (const text of ['If a < b, then take a.', 'if (a < b / 2) return']) expect(withoutCutEscape(text)).to.equal(text)
})

it('an element is unfinished however long its quotes are, and a comment whatever it says', () => {
  for (const begun of [
    `<b title="${'x'.repeat(300)}`,
    `<b title="${'x'.repeat(300)}" id='`,
    '<!-- 1 < 2 ',
    '<!-- <b> -->',
  ])
    expect(withoutCutEscape(`12${begun}`), begun).to.equal('12')
})

describe('a text with a long word in escapes', () => {
  const word = 'qwertzuiop'.repeat(40)
  const bold = (letter: string) => String.fromCodePoint(0x1d41a - 97 + letter.charCodeAt(0))
  /** Each letter may be bold, and invisible characters may follow it. */
  const letters = Array.from(word, (letter) => `(?:${letter}|${bold(letter)})\u200b*`)
  const growing = new RegExp(
    letters.reduceRight((rest, letter) => `${letter}(?:${rest}|$)`),
    'g',
  )
  const pii: SpanDetector = {
    ...piiFinder(letters.join('')),
    openSpans: ({ text }) =>
      Promise.resolve({
        spans: Array.from(text.matchAll(growing), ({ 0: part, index: start }) => ({ start, end: start + part.length })),
      }),
  }
  const each = (write: (code: string) => string) =>
    Array.from(word, (letter) => write(letter.charCodeAt(0).toString(16))).join('')
  const between = (mark: string) => Array.from(word).join(mark)
  const written: Readonly<Record<string, string>> = {
    'of HTML': each((code) => `&#x${code};`),
    'of HTML with many zeros': each((code) => `&#x${'0'.repeat(30)}${code};`),
    'of HTML that are escaped': each((code) => `&amp;#x${code};`),
    'of HTML that show nothing': between('&NegativeVeryThinSpace;'),
    'of URLs': each((code) => `%u00${code}`),
    'of URLs that are escaped': each((code) => `%25${code}`),
    'of URLs in UTF-8': Array.from(word, (letter) => encodeURIComponent(bold(letter))).join(''),
    'of JSON': each((code) => `\\u00${code}`),
    'of JSON in two halves': Array.from(word, bold)
      .join('')
      .replace(/[^]/g, (half) => `\\u${half.charCodeAt(0).toString(16)}`),
    'of JSON that are escaped often': each((code) => `${'\\'.repeat(32)}u00${code}`),
    'of programs': each((code) => `\\U000000${code}`),
    'of programs in braces': each((code) => `\\u{0000${code}}`),
    'of programs by name': each((code) => `\\N{U+00${code}}`),
    'of Unicode': each((code) => `U+00${code}`),
    'of CSS': each((code) => `\\${code} `),
    'of terminals': between('\\033[1;31m'),
    'of mail': each((code) => `=${code}`),
    'of mail at the ends of lines': between('=\r\n'),
    'of mail in UTF-7': Array.from(word, (letter) => `+${Buffer.from(`\0${letter}`).toString('base64', 0, 3)}-`)
      .join('')
      .replaceAll('=', ''),
    'that are elements': between('<b title=">"></b>'),
    'that are elements with half a quote': between("<b title=it's></b>"),
    'that are comments': between('<!-- a > b -->'),
    'that are comments on elements': between('<!-- <i> -->'),
    'that are empty emphasis': between('****'),
    'that are bytes in hexadecimal': each((code) => `0x${code}, `),
  }
  for (const [name, text] of Object.entries(written))
    it(`is not cut in them: ${name}`, async () => {
      const output = { pii: { ...replace, action: 'block' as const, budget: 20_000 } }
      for (let shift = 0; shift < 8; shift += 1) {
        const said = `It is ${'.'.repeat(shift)}${text} or not.`
        expect((await hear([said], output, { pii })).error, `after ${shift}`).to.equal('pii detected')
      }
    }).timeout(60_000)
})
