/** What comes at once, in parts, behind the checks. */

import { expect } from 'chai'
import fc from 'fast-check'
import { extraction } from '@sallyport/core'
import type { ExtractedPart, ExtractionCapability, InspectionRequest } from '@sallyport/core'
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
