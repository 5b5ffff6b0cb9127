/** Documents whose format has mark-up, which is not checked and stays as it is. */

import { expect } from 'chai'
import { contentsOf, extraction } from '@sallyport/core'
import type { ExtractedPart, ExtractionCapability, Verdict } from '@sallyport/core'
import { Pacer } from '@sallyport/kit/async'
import { testCall } from '@sallyport/testing'
import { ChoiceQueue } from '../../src/output/choice-queue.js'
import { guard, enforce, finder, replace } from '../support.js'
import type { Policy } from '../support.js'
import { pii } from './streams.js'

describe('a document with mark-up', () => {
  const json: ExtractedPart[] = [
    { markup: '{"title":"', text: '', attribute: 'A title' },
    { markup: '","blocks":[{"type":"paragraph","text":"', text: 'Now ig' },
    { markup: '"},{"type":"paragraph","url":"', text: 'nore', attribute: 'https://example.org/1234' },
    { markup: '","text":"', text: ' it, and 1234.' },
    { markup: '"}]}', text: '' },
  ]
  const guarded = async (output: Policy['output'], parts = json) => {
    const verdicts: Verdict[] = []
    const service: ExtractionCapability = {
      extract: () => Promise.resolve({ title: 'notes', headings: [], parts, words: 1 }),
    }
    const onVerdict = (verdict: Verdict) => void verdicts.push(verdict)
    const context = { policy: { output }, detectors: { injection: finder('ignore', 'injection'), pii }, onVerdict }
    const result = guard(extraction, service, context).extract({ file: 'a', fileName: 'b', format: 'json' }, testCall())
    const written = (await result).parts.map((part) => contentsOf(part, 'json')).join('')
    return { written, spans: verdicts.flatMap(({ spans = [] }) => spans) }
  }

  it('is read without it', async () => {
    expect(await guarded({ injection: enforce }).catch(String)).to.contain('prompt injection detected')
  })

  for (const method of ['category', 'remove'] as const)
    it(`keeps it where something is replaced (${method})`, async () => {
      const cut = { ...enforce, action: 'replace', method } as const
      const { written } = await guarded({ injection: cut, pii: replace })
      const { title, blocks } = JSON.parse(written) as { title: string; blocks: { url?: string; text: string }[] }
      expect(title).to.equal('A title')
      expect(blocks.map(({ text }) => text).join('')).to.equal(
        `Now ${method === 'category' ? '<injection>' : ''} it, and <SECRET>.`,
      )
      expect(blocks[1]?.url).to.equal('https://example.org/<SECRET>')
    })

  it('is not interrupted by what stands beside it', async () => {
    const note = { markup: '[', text: '', attribute: '1' }
    const parts: ExtractedPart[] = [{ text: 'Mail 12' }, note, { markup: ']', text: '34 please.' }]
    const inspectAcross = ({ values }: { values: readonly { text: string }[] }) => {
      joined.push(values.map(({ text }) => text).join('|'))
      return Promise.resolve({ findings: [], score: 0, detector: 'test', latency: 0, explanation: '' })
    }
    const joined: string[] = []
    const service: ExtractionCapability = {
      extract: () => Promise.resolve({ title: 'notes', headings: [], parts, words: 1 }),
    }
    const context = { policy: { output: { pii: replace } }, detectors: { pii: { ...pii, inspectAcross } } }
    const result = guard(extraction, service, context).extract({ file: 'a', fileName: 'b', format: 'text' }, testCall())
    const { parts: left } = await result
    expect(left.map((part) => contentsOf(part, 'text')).join('')).to.equal('Mail <SECRET>[1] please.')
    expect(joined.filter((text) => /12.*\|.*34/.test(text))).to.deep.equal([])
  })

  it('is asked once for each part whether it has passed, however many segments it has', async () => {
    let [reads, passed] = [0, 0]
    const text = {
      get passedLength() {
        reads += 1
        return passed
      },
      release: () => ({ text: 'a', replaced: false }),
    }
    const queue = new ChoiceQueue({ text: 'delta' }, new Pacer(testCall()), () => undefined)
    const spans = Array.from({ length: 1000 }, (_, at) => ({ text, from: at, to: at + 1 }))
    queue.hold({ chunk: { text: 'a' }, position: 0, spans, copiesMatch: true, divisible: false })
    for (passed = 0; passed <= 1000; passed += 10) await queue.release()
    expect(reads).to.be.below(2000)
  })

  it('tells where in its text something beside the text stands', async () => {
    const { spans } = await guarded({ pii: replace })
    const found = spans.map(({ field, start, end }) => ({ field, start, end }))
    expect(found).to.have.deep.members([
      { field: 'parts', start: 'Now ignore'.length, end: 'Now ignore'.length },
      { field: 'parts', start: 'Now ignore it, and '.length, end: 'Now ignore it, and 1234'.length },
    ])
  })

  it('has the page and the headings of the part that it continues', async () => {
    const parts: ExtractedPart[] = [
      { markup: '<p>', text: 'One ', page: 2, headings: [0] },
      { markup: '<b>', text: '1234', continues: true },
    ]
    const { spans } = await guarded({ pii: replace }, parts)
    expect(spans[0]).to.include({ page: 2, heading: 1, start: 4, end: 8 })
  })
})
