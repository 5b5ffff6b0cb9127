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
  const spansOf = async (output: Policy['output'], change: Partial<ExtractionResult> = {}) => {
    const verdicts: Verdict[] = []
    const result = { title: 'notes', headings: ['a', 'b', 'c'], parts, words: 9, ...change }
    const service: ExtractionCapability = { extract: () => Promise.resolve(result) }
    const injection = finder('ignore', 'injection')
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

  it('is reported by the name of its field outside the contents', async () => {
    const found = await spansOf({ injection: enforce }, { headings: ['a', 'to ignore'] })
    expect(found[0]).to.deep.include({ field: 'headings[1]', start: 3, end: 9 })
  })

  it('is reported at most 32 times', async () => {
    const found = await spansOf({ pii: replace }, { parts: [{ text: '1234 '.repeat(20_000) }] })
    expect(found).to.have.length(32)
  })
})
