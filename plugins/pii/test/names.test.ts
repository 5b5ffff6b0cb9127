import { createKernel, definePlugin, injectable, pii, tokenClassification } from '@sallyport/core'
import type { ClassifiedSpan, Kernel, TokenClassificationCapability } from '@sallyport/core'
import { expect } from 'chai'
import plugin from '../src/index.js'

const labels: Readonly<Record<string, string>> = {
  Zoë: 'GIVEN_NAME',
  Quux: 'SURNAME',
  Mordor: 'CITY',
  Laos: 'GIVEN_NAME',
  'x@y.org': 'EMAIL',
  '4111111111111111': 'GOVERNMENT_ID',
  '536-22-1234': 'TAX_ID',
  '99887766': 'GOVERNMENT_ID',
  '17': 'BUILDING_NUMBER',
  Elmtree: 'STREET_NAME',
  Rand: 'SURNAME',
  Kubernetes: 'GIVEN_NAME',
}

const asked: string[][] = []

@injectable()
class Tagger implements TokenClassificationCapability {
  classify({ texts }: { texts: string[] }) {
    asked.push(texts)
    const spansIn = (text: string): ClassifiedSpan[] =>
      Object.entries(labels)
        .flatMap(([word, label]) =>
          [...text.matchAll(new RegExp(word, 'g'))].map(({ index }) => ({
            label,
            start: index,
            end: index + word.length,
            score: 0.9,
          })),
        )
        .sort((a, b) => a.start - b.start)
    return Promise.resolve({ spans: texts.map(spansIn) })
  }
}

const tagger = definePlugin({ name: 'tagger', models: { tagger: { capability: tokenClassification, class: Tagger } } })

describe('names by a model', () => {
  let kernel: Kernel
  before(async () => {
    const options = { model: 'tagger', key: 'a key of sixteen' }
    kernel = await createKernel({ plugins: [tagger, plugin], models: { pii: { backend: 'pii', options } } })
  })
  beforeEach(() => asked.splice(0))
  after(() => kernel.stop())

  for (const [name, text, expected] of [
    ['joins given names and surnames', 'ask Zoë Quux now', ['PERSON Zoë Quux']],
    ['takes whole words', 'ask Zoë-Quuxes now', ['PERSON Zoë-Quuxes']],
    ['leaves the possessive', "Zoë's book", ['PERSON Zoë']],
    ['parts names at the end of a line', 'Zoë\nQuux', ['PERSON Zoë', 'PERSON Quux']],
    ['joins the parts of an address', 'at 17 Elmtree, Mordor.', ['LOCATION 17 Elmtree, Mordor']],
    ['takes patterns for more than the model', 'pay 4111111111111111', ['CREDIT_CARD 4111111111111111']],
    ['knows a social security number', 'no 536-22-1234', ['US_SSN 536-22-1234']],
    ['calls other numbers ID', 'no 99887766', ['ID 99887766']],
    ['takes all of a number', 'no 12/99887766-55X', ['ID 12/99887766-55X']],
    ['takes no software for a person', 'how do I install Kubernetes?', []],
    ['does not take a country for a person', 'in Laos', ['LOCATION Laos']],
    ['does not take a name in a company’s for a person', 'the Rand Corporation', ['ORGANIZATION Rand Corporation']],
    ['leaves mail addresses to the patterns', 'x@y.org', ['EMAIL_ADDRESS x@y.org']],
  ] as const)
    it(name, async () => {
      const { findings } = await kernel.get(pii, 'pii').inspect({ text })
      expect(findings.map(({ type, start, end }) => `${type} ${text.slice(start, end)}`)).to.deep.equal(expected)
    })

  it('asks once for all paragraphs, and not at all for what it cannot read', async () => {
    const text = 'one\n\n東京です\n\nask Zoë\n'
    const { findings } = await kernel.get(pii, 'pii').inspect({ text })
    expect(asked).to.deep.equal([['one', 'ask Zoë\n']])
    expect(findings.map(({ start, end }) => text.slice(start, end))).to.deep.equal(['Zoë'])
    await kernel.get(pii, 'pii').inspect({ text: '東京です。 🙂' })
    expect(asked).to.have.length(1)
  })

  for (const [name, text] of [
    ['paragraphs', 'Ask Zoë Quux of Mordor now.\n\n'.repeat(200)],
    ['lines', 'Ask Zoë Quux of Mordor now\n'.repeat(200)],
    ['sentences', 'Ask Zoë Quux of Mordor now. '.repeat(200)],
    ['words', 'Zoë in a land of its own and '.repeat(200)],
  ] as const)
    it(`asks for a long text bit by bit, so that others have their turn: one of many ${name}`, async () => {
      const { findings } = await kernel.get(pii, 'pii').inspect({ text })
      expect(findings.filter(({ type }) => type === 'PERSON')).to.have.length(200)
      expect(asked.length).to.be.within(text.length / 1000, text.length / 400)
      for (const texts of asked) expect(texts.join('').length).to.be.at.most(1000)
    })
})
