/** What comes at once, in parts, behind the checks. */

import { expect } from 'chai'
import fc from 'fast-check'
import { extraction } from '@sallyport/core'
import type { ExtractedPart, ExtractionCapability, ExtractionResult, InspectionRequest, Verdict } from '@sallyport/core'
import { countCodePoints } from '@sallyport/kit/text'
import { testCall } from '@sallyport/testing'
import { guard, enforce, finder, replace } from '../support.js'
import type { Policy } from '../support.js'
import { pii } from './streams.js'
import type { Detectors } from './streams.js'

const contentsOf = (parts: readonly ExtractedPart[]): string => parts.map(({ text }) => text).join('')

const extracted = async (texts: readonly string[], output: Policy['output'], detectors: Detectors) => {
  const parts = texts.map((text) => ({ text }))
  const service: ExtractionCapability = {
    extract: () => Promise.resolve({ title: 'notes', headings: [], parts, words: 1 }),
  }
  const context = { policy: { output }, detectors: { ...detectors } }
  return guard(extraction, service, context).extract({ file: 'a', fileName: 'b', format: 'text' }, testCall())
}

describe('a guarded document', () => {
  it('says the same in whatever parts it comes', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('1234', '12', '34', 'A sentence ends. ', 'word ', '\n'), { maxLength: 60 }),
        async (texts) => {
          const { parts } = await extracted(texts, { pii: replace }, { pii })
          expect(parts).to.have.length(texts.length)
          expect(contentsOf(parts)).to.equal(texts.join('').replaceAll('1234', '<SECRET>'))
        },
      ),
      { numRuns: 50 },
    ))

  it('is checked in few chunks, of which none is long', async () => {
    const seen: string[] = []
    const injection = {
      inspect: (request: InspectionRequest) => {
        seen.push(request.text)
        expect(request.origin).to.equal('document')
        return finder('ignore', 'injection').inspect(request, testCall())
      },
    }
    const text = 'A sentence of no interest stands here. '.repeat(1000)
    await extracted([text], { injection: enforce }, { injection })
    expect(seen.join('')).to.equal(`notes${text}`)
    expect(seen.length).to.be.below(text.length / 2000 + 2)
    for (const { length } of seen) expect(length).to.be.at.most(4096)
  })

  it('is checked with the position of each part, from which detectors know how much they have read', async () => {
    const seen: InspectionRequest[] = []
    const injection = {
      inspect: (request: InspectionRequest) => {
        seen.push(request)
        return finder('ignore', 'injection').inspect(request, testCall())
      },
    }
    const text = 'A sentence of no interest stands here. '.repeat(300)
    await extracted([text], { injection: enforce }, { injection })
    const parts = seen.filter((request) => request.text !== 'notes')
    expect(parts.length).to.be.above(2)
    for (const { text: part, offset = 0 } of parts) expect(text.slice(offset, offset + part.length)).to.equal(part)
    expect(new Set(parts.map(({ offset }) => offset)).size).to.equal(parts.length)
  })

  it('is checked where it is long and can be cut nowhere', async () => {
    const text = '1234 '.repeat(20_000)
    const openSpans = (request: { text: string }) =>
      Promise.resolve({ spans: [{ start: 0, end: request.text.length }] })
    const { parts } = await extracted([text], { pii: replace }, { pii: { ...pii, openSpans } })
    expect(contentsOf(parts)).to.equal('<SECRET> '.repeat(20_000))
  })

  it('is refused for what one part of it says', async () => {
    const texts = [...Array.from({ length: 200 }, () => 'A sentence of no interest. '), 'Now ig', 'nore it.']
    const refused = extracted(texts, { injection: enforce }, { injection: finder('ignore', 'injection') })
    expect(await refused.catch(String)).to.contain('prompt injection detected')
  })
})

describe('a finding in a document', () => {
  const parts: ExtractedPart[] = [
    { text: '😀 First page. 1234 ', page: 1, headings: [0] },
    { text: 'Still the first. ', page: 1, headings: [0, 1] },
    { text: 'Now ignore it and 1234.', page: 2, headings: [2] },
  ]
  const contents = contentsOf(parts)
  const spansOf = async (
    output: Policy['output'],
    change: Partial<ExtractionResult> = {},
    injection = finder('ignore', 'injection'),
  ) => {
    const verdicts: Verdict[] = []
    const result = { title: 'notes', headings: ['a', 'b', 'c'], parts, words: 9, ...change }
    const service: ExtractionCapability = { extract: () => Promise.resolve(result) }
    const onVerdict = (verdict: Verdict) => void verdicts.push(verdict)
    const guarded = guard(extraction, service, { policy: { output }, detectors: { injection, pii }, onVerdict })
    await guarded.extract({ file: 'a', fileName: 'b', format: 'text' }, testCall()).catch(() => undefined)
    return verdicts.flatMap(({ check, verdict, spans = [] }) => spans.map((span) => ({ check, verdict, ...span })))
  }
  const at = (text: string, from = 0) => {
    const start = countCodePoints(contents.slice(0, contents.indexOf(text, from)))
    return { start, end: start + text.length }
  }
  const ignore = { type: 'injection', score: 1, field: 'parts', page: 2, heading: 3, ...at('ignore') }

  it('is reported with its page, the heading above it and its position in the contents', async () => {
    const found = await spansOf({ injection: enforce })
    expect(found).to.deep.equal([{ check: 'injection', verdict: 'block', ...ignore }])
  })

  it('is reported where the passage was cut out, too', async () => {
    const found = await spansOf({ injection: { ...enforce, action: 'replace', method: 'category' } })
    expect(found).to.deep.equal([{ check: 'injection', verdict: 'replace', ...ignore }])
  })

  it('is reported by each check as long as none before it has changed the text', async () => {
    const found = await spansOf({ pii: replace })
    const first = { type: 'SECRET', score: 1, field: 'parts', page: 1, heading: 1, ...at('1234') }
    const last = { ...first, page: 2, heading: 3, ...at('1234', contents.indexOf('Now')) }
    expect(found).to.deep.equal([first, last].map((one) => ({ check: 'pii', verdict: 'replace', ...one })))
    const cut: Policy['output'][string] = { ...enforce, action: 'replace', method: 'category' }
    const both = await spansOf({ injection: cut, pii: replace })
    expect(both.map(({ check }) => check)).to.deep.equal(['injection'])
  })

  it('is reported with the heading that it is in, by its position there', async () => {
    const found = await spansOf({ injection: enforce }, { headings: ['a', '😀 b', '😀 to ignore'] })
    const inHeading = { field: 'headings[2]', start: 5, end: 11, page: 2, heading: 3 }
    expect(found[0]).to.deep.equal({ check: 'injection', verdict: 'block', type: 'injection', score: 1, ...inHeading })
  })

  it('is reported with each heading over which it is cut, and in the title by its position there', async () => {
    const split = finder('ignore\nit', 'injection')
    const found = await spansOf({ injection: enforce }, { headings: ['a', 'now ignore', 'it all'] }, split)
    expect(found.map(({ field, start, end, heading }) => ({ field, start, end, heading }))).to.deep.equal([
      { field: 'headings[1]', start: 4, end: 10, heading: 2 },
      { field: 'headings[2]', start: 0, end: 2, heading: 3 },
    ])
    const [inTitle] = await spansOf({ injection: enforce }, { title: 'ignore' })
    expect(inTitle).to.deep.equal({
      ...{ check: 'injection', verdict: 'block', type: 'injection', score: 1 },
      ...{ field: 'title', start: 0, end: 6 },
    })
  })

  for (const [where, change] of [
    ['in the contents', { parts: [{ text: '1234 '.repeat(20_000) }] }],
    ['in its headings', { headings: Array.from({ length: 100 }, () => '1234') }],
  ] satisfies [string, Partial<ExtractionResult>][])
    it(`is reported at most 32 times ${where}`, async () => {
      expect(await spansOf({ pii: replace }, change)).to.have.length(32)
    })

  it('is reported at most 32 times where it is cut over more headings', async () => {
    const headings = Array.from({ length: 100 }, () => 'word')
    expect(await spansOf({ injection: enforce }, { headings }, finder('word[^]*word', 'injection'))).to.have.length(32)
  })

  it('is located without a search of all parts for each heading', async () => {
    const headings = Array.from({ length: 500 }, () => 'word')
    let reads = 0
    const parts = headings.map((text, at) => ({
      text,
      get headings() {
        reads += 1
        return [at]
      },
    }))
    await spansOf({ injection: enforce }, { headings, parts }, finder('word[^]*word', 'injection'))
    expect(reads).to.be.below(10 * headings.length)
  })
})

describe('the title and the headings of a document', () => {
  const headings = ['Configuration', 'Strict decoding', '', 'A note about bodies']
  const guardedHeadings = async (
    result: Partial<ExtractionResult>,
    output: Policy['output'],
    detectors: Detectors,
  ): Promise<ExtractionResult> => {
    const whole = { title: 'notes', headings, parts: [{ text: 'The contents.' }], words: 2, ...result }
    const service: ExtractionCapability = { extract: () => Promise.resolve(whole) }
    const guarded = guard(extraction, service, { policy: { output }, detectors: { ...detectors } })
    return guarded.extract({ file: 'a', fileName: 'b', format: 'text' }, testCall())
  }
  /** Takes every text of fewer than six words for an attack, as it knows little of them. */
  const alarmedByShortTexts = {
    inspect: (request: InspectionRequest) =>
      finder(request.text.split(/\s+/).length < 6 ? '[^]+' : 'ignore', 'injection').inspect(request, testCall()),
  }
  const cut: Policy['output'] = { injection: { ...enforce, action: 'replace', method: 'category' } }

  it('are one text, so that short ones are not judged alone', async () => {
    const parts = [{ text: 'The contents are longer than one heading.' }]
    const result = await guardedHeadings({ parts }, { injection: enforce }, { injection: alarmedByShortTexts })
    expect(result).to.deep.equal({ title: 'notes', headings, parts, words: 2 })
  })

  it('are inspected whole, line by line, in parts that are not long', async () => {
    const seen: string[] = []
    const injection = {
      inspect: (request: InspectionRequest) => {
        seen.push(request.text)
        return finder('ignore', 'injection').inspect(request, testCall())
      },
    }
    const many = Array.from({ length: 2000 }, (_, at) => `Heading number ${at}`)
    const result = await guardedHeadings({ headings: many }, { injection: enforce }, { injection })
    expect(result.headings).to.deep.equal(many)
    expect(seen.filter((text) => text !== 'The contents.').join('')).to.equal(['notes', ...many].join('\n'))
    for (const { length } of seen) expect(length).to.be.at.most(4096)
  })

  it('are refused for what is cut over two of them', async () => {
    const injection = finder('ignore\\s+it', 'injection')
    const refused = guardedHeadings({ headings: ['a', 'now ignore', 'it'] }, { injection: enforce }, { injection })
    expect(await refused.catch(String)).to.contain('prompt injection detected')
  })

  for (const [what, before, after] of [
    [
      'inside one',
      ['Configuration', 'Call 1234', 'Strict decoding'],
      ['Configuration', 'Call <SECRET>', 'Strict decoding'],
    ],
    [
      'of each',
      ['1234', '1234', '1234 and 1234', '1234'],
      ['<SECRET>', '<SECRET>', '<SECRET> and <SECRET>', '<SECRET>'],
    ],
    ['of the last', ['', 'a', '', '1234'], ['', 'a', '', '<SECRET>']],
    ['that begins with a line break', ['\n1234', '\n1234'], ['\n<SECRET>', '\n<SECRET>']],
  ] as const)
    it(`keep their places where something is replaced ${what}`, async () => {
      for (const title of ['notes', '']) {
        const result = await guardedHeadings({ title, headings: [...before] }, { pii: replace }, { pii })
        expect(result.title).to.equal(title)
        expect(result.headings).to.deep.equal(after)
      }
    })

  for (const method of ['category', 'remove'] as const)
    it(`lose a passage that is cut over two of them where it begins (${method})`, async () => {
      const injection = finder('ignore\\s+it', 'injection')
      const policy: Policy['output'] = { injection: { ...enforce, action: 'replace', method } }
      const long = ['Strict decoding', 'Now ignore', 'it', 'A note about bodies']
      const result = await guardedHeadings({ headings: long }, policy, { injection })
      const left = method === 'category' ? 'Now <injection>' : 'Now '
      expect(result.headings).to.deep.equal(['Strict decoding', left, '', 'A note about bodies'])
    })

  it('keep what is not replaced in one that is too long to be aligned', async () => {
    const long = 'word '.repeat(4000)
    const policy = { pii: { ...replace, method: 'remove' } } as const
    const result = await guardedHeadings({ headings: ['a', `${long}1234`, 'c'] }, policy, { pii })
    expect(result.headings).to.deep.equal(['a', `${long}<SECRET>`, 'c'])
  })

  it('keep what is not cut out', async () => {
    const injection = finder('ignore', 'injection')
    const { headings: left } = await guardedHeadings({ headings: ['A note', 'to ignore', 'Usage'] }, cut, { injection })
    expect(left).to.deep.equal(['A note', 'to <injection>', 'Usage'])
  })
})
