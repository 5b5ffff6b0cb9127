import { expect } from 'chai'
import { exampleOf } from '../src/custom/examples.js'
import texts from './data/elements.json' with { type: 'json' }
import { callOf, described, detectorOf, findingsIn, usualDetector } from './support.js'

/** What is found stands between brackets, or ends where the text does. */
const { found, nothing } = texts

describe('what is written over elements of HTML', () => {
  for (const [type, texts] of Object.entries(found))
    for (const example of texts) {
      const { text, expected } = exampleOf(example)

      it(`is found: ${text}`, async () => {
        expect(await described(text)).to.include(`${type} ${expected}`)
      })

      it(`is kept together in a stream: ${text}`, async () => {
        const start = text.indexOf(expected ?? '')
        for (let length = start + 2; length < start + (expected?.length ?? 0); length += 1) {
          const { spans } = await usualDetector.openSpans({ text: text.slice(0, length) }, callOf())
          for (let at = start + 1; at < length; at += 1)
            expect(
              spans.some((span) => span.start < at && at < span.end),
              `${at} of ${text.slice(0, length)}`,
            ).to.equal(true)
        }
      })
    }

  for (const text of nothing)
    it(`is nothing in ${text}`, async () => {
      expect((await described(text)).filter((one) => (one.split(' ', 1)[0] ?? '') in found)).to.deep.equal([])
    })

  for (const method of ['fake', 'random'] as const)
    it(`keeps its elements where a recogniser of one’s own finds it, and it is replaced: ${method}`, async () => {
      const patterns = [{ regex: /(?<!\d)77\d{8}(?!\d)/, score: 0.9 }]
      const own = detectorOf([{ entity: 'MEMBER', patterns, encoded: true, examples: [], counterExamples: [] }])
      const text = 'member 77123<b>45678</b>, please'
      const findings = await findingsIn(text, own)
      const { text: replaced } = await own.replace({ text, findings: [...findings], method }, callOf())
      expect(replaced).to.match(/^member \d{5}<b>\d{5}<\/b>, please$/)
      expect(replaced).to.not.equal(text)
    })

  it('is no table of numbers', async () => {
    const rows = Array.from({ length: 300 }, (_, row) =>
      Array.from({ length: 6 }, (_, column) => String(1000 + ((row * 7919 + column * 104729) % 9000))),
    )
    for (const names of [['td'], ['th', 'td'], ['span'], ['b', 'i']]) {
      const cell = (number: string, at: number) =>
        `<${names[at % names.length]}>${number}</${names[at % names.length]}>`
      for (const between of ['', ' ', '\n  ']) {
        const text = rows.map((row) => `<tr>${row.map(cell).join(between)}</tr>`).join('\n')
        expect(await described(text), `${names.join()} ${JSON.stringify(between)}`).to.deep.equal([])
      }
    }
  })
})
