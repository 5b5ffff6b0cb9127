import { createKernel } from '@sallyport/kernel'
import { definePlugin, injectable, tokenClassification } from '@sallyport/core'
import type { ClassifiedSpan, Kernel, TokenClassificationCapability } from '@sallyport/core'
import { pii } from '@sallyport/checks'
import { expect } from 'chai'
import plugin from '../src/index.js'
import data from './data/names.json' with { type: 'json' }

const asked: string[][] = []

@injectable()
class Tagger implements TokenClassificationCapability {
  classify({ texts }: { texts: string[] }) {
    asked.push(texts)
    const spansIn = (text: string): ClassifiedSpan[] =>
      Object.entries(data.labels)
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

  for (const [name, [text = '', ...expected]] of Object.entries(data.found))
    it(name, async () => {
      const { findings } = await kernel.get(pii, 'pii').inspect({ text })
      expect(findings.map(({ type, start, end }) => `${type} ${text.slice(start, end)}`)).to.deep.equal(expected)
    })

  it('asks once for all paragraphs, and not at all for what it cannot read', async () => {
    const text = 'Mordor\n\n東京です\n\nask Zoë\n'
    const { findings } = await kernel.get(pii, 'pii').inspect({ text })
    expect(asked).to.deep.equal([['Mordor', 'ask Zoë\n']])
    expect(findings.map(({ start, end }) => text.slice(start, end))).to.deep.equal(['Mordor', 'Zoë'])
    await kernel.get(pii, 'pii').inspect({ text: '東京です。 🙂' })
    expect(asked).to.have.length(1)
  })

  it('asks once about what is said twice', async () => {
    const text = 'ask Zoë of Mordor\n\nask Quux\n\nask Zoë of Mordor'
    const { findings } = await kernel.get(pii, 'pii').inspect({ text })
    expect(asked.flat().map((block) => block.trim())).to.deep.equal(['ask Zoë of Mordor', 'ask Quux'])
    expect(findings.map(({ start, end }) => text.slice(start, end))).to.deep.equal([
      'Zoë',
      'Mordor',
      'Quux',
      'Zoë',
      'Mordor',
    ])
  })

  it('parts no word where a paragraph is longer than any', async () => {
    for (const separator of [' ', ',']) {
      const text = Array.from({ length: 900 }, (_, at) => `Zoë${separator}Quux${at % 7}`).join(separator)
      const { findings } = await kernel.get(pii, 'pii').inspect({ text })
      expect(findings.filter(({ start, end }) => text.slice(start, end) === 'Zoë')).to.have.length(900)
    }
  })

  it('is not asked about a word of a program, in which patterns look for what has a form', async () => {
    expect((await kernel.get(pii, 'pii').inspect({ text: 'Zoë', isProgramName: true })).findings).to.deep.equal([])
    expect((await kernel.get(pii, 'pii').inspect({ text: 'Laos', isProgramName: true })).findings).to.deep.equal([])
    expect(asked).to.deep.equal([])
    const { findings } = await kernel.get(pii, 'pii').inspect({ text: 'x@y.org', isProgramName: true })
    expect(findings.map(({ type }) => type)).to.deep.equal(['EMAIL_ADDRESS'])
  })

  for (const [name, text, found, read] of [
    [
      'among names',
      'Ask Zoë Quux <zoe.quux@mail.example.org>, or quux-2@mordor.example.com. Rand',
      [
        'PERSON Zoë Quux',
        'EMAIL_ADDRESS zoe.quux@mail.example.org',
        'EMAIL_ADDRESS quux-2@mordor.example.com',
        'PERSON Rand',
      ],
      ['Ask Zoë Quux <me@a.it>, or me@a.it. Rand'],
    ],
    [
      'alone',
      'user1@host1.example.org, user2@host2.example.org',
      ['EMAIL_ADDRESS user1@host1.example.org', 'EMAIL_ADDRESS user2@host2.example.org'],
      [],
    ],
  ] as const)
    it(`is shown short mail addresses in the place of others: ${name}`, async () => {
      const { findings } = await kernel.get(pii, 'pii').inspect({ text })
      expect(findings.map(({ type, start, end }) => `${type} ${text.slice(start, end)}`)).to.deep.equal(found)
      expect(asked.flat()).to.deep.equal(read)
    })

  it('is shown mail addresses as they are where these are not looked for', async () => {
    await kernel.get(pii, 'pii').inspect({ text: 'Ask Zoë <zoe.quux@mail.example.org>', ignore: ['EMAIL_ADDRESS'] })
    expect(asked.flat()).to.deep.equal(['Ask Zoë <zoe.quux@mail.example.org>'])
  })

  const noise = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg'
  for (const [name, text] of [
    ['a picture', `see data:image/png;base64,${noise.slice(0, 60)}/Quux+Mordor==`],
    ['a picture as JSON may write it', String.raw`{"a":"data:image\/png;base64,${noise}\/Quux"}`],
    ['bytes', `${noise}/Mordor/${noise}`],
    ['a digest', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
  ] as const)
    it(`is not shown ${name}`, async () => {
      const { findings } = await kernel.get(pii, 'pii').inspect({ text: `${text} and Rand` })
      expect(asked.flat().join('')).to.not.match(/Quux|Mordor|AAAA|3e36/)
      expect(findings.map(({ type }) => type)).to.deep.equal(['PERSON'])
    })

  for (const text of [
    'src/components/MordorPanel/QuuxFactoryBeanBuilder.tsx',
    'see https://a.example/of/Quux/in/the/land/of/Mordor/and/back',
  ])
    it(`is shown words that are written together: ${text}`, async () => {
      await kernel.get(pii, 'pii').inspect({ text })
      expect(asked.flat().join('')).to.match(/Quux/)
    })

  for (const [name, written] of [
    ['paragraphs', (at: number) => `Ask Zoë Quux of Mordor ${at}.\n\n`],
    ['lines', (at: number) => `Ask Zoë Quux of Mordor ${at}\n`],
    ['sentences', (at: number) => `Ask Zoë Quux of Mordor ${at}. `],
    ['words', (at: number) => `Zoë in a land of its ${at} and `],
  ] as const)
    it(`asks for a long text bit by bit, so that others have their turn: one of many ${name}`, async () => {
      const text = Array.from({ length: 200 }, (_, at) => written(at)).join('')
      const { findings } = await kernel.get(pii, 'pii').inspect({ text })
      expect(findings.filter(({ type }) => type === 'PERSON')).to.have.length(200)
      expect(asked.length).to.be.within(text.length / 1000, text.length / 400)
      for (const texts of asked) expect(texts.join('').length).to.be.at.most(1000)
    })
})

describe('types that other models find', () => {
  const own = {
    USERNAME: 'USER_NAME',
    JOB: 'OCCUPATION',
    KEY: 'API_KEY',
    GOVERNMENT_ID: 'PASS',
    TELEPHONENUM: 'PHONE_NUMBER',
  }
  const options = { model: 'tagger', key: 'a key of sixteen', labels: own }
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({ plugins: [tagger, plugin], models: { pii: { backend: 'pii', options } } })
  })
  after(() => kernel.stop())

  for (const [name, [text = '', ...expected]] of Object.entries(data.byOtherModels))
    it(`are found by the labels that one says: ${name}`, async () => {
      const { findings } = await kernel.get(pii, 'pii').inspect({ text })
      expect(findings.map(({ type, start, end }) => `${type} ${text.slice(start, end)}`)).to.deep.equal(expected)
    })
})
