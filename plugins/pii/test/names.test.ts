import { createKernel } from '@sallyport/kernel'
import { definePlugin, injectable, tokenClassification } from '@sallyport/core'
import type { ClassifiedSpan, Kernel, TokenClassificationCapability } from '@sallyport/core'
import { pii } from '@sallyport/checks'
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
  Quuxさんに: 'SURNAME',
  Quux입니다: 'SURNAME',
  '55447766に': 'BANK_ACCOUNT',
  私はZoë: 'GIVEN_NAME',
  木花: 'SURNAME',
  '17': 'BUILDING_NUMBER',
  Elmtree: 'STREET_NAME',
  Rand: 'SURNAME',
  Kubernetes: 'GIVEN_NAME',
  Dijkstra: 'SURNAME',
  Waldorf: 'CITY',
  Jenkins: 'SURNAME',
  '8080': 'BUILDING_NUMBER',
  malloc: 'CITY',
  user_quux: 'SURNAME',
  kettle: 'CITY',
  '9e107d9': 'DRIVERS_LICENSE',
  april: 'GIVEN_NAME',
  ethanol: 'GIVEN_NAME',
  Foo: 'SURNAME',
  Welt: 'SURNAME',
  Aldi: 'SURNAME',
  'Mona Lisa': 'GIVEN_NAME',
  web: 'GIVEN_NAME',
  XL: 'SURNAME',
  Rose: 'GIVEN_NAME',
  933: 'BUILDING_NUMBER',
  '60601-1': 'BUILDING_NUMBER',
  quuxboy: 'USERNAME',
  nurse: 'JOB',
  '4f99887766aab2dd01': 'KEY',
  '13812345': 'TELEPHONENUM',
  '4455': 'TELEPHONENUM',
  '5566': 'JOB',
  true: 'GIVEN_NAME',
  null: 'SURNAME',
  delta: 'GIVEN_NAME',
  bucket: 'GIVEN_NAME',
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
    ['takes what programs make for no number of a person', 'commit 4f99887766aab2dd0123456789abcdef01234567', []],
    ['takes numbers of things for nobody’s', 'order number 99887766 and tracking 99887766', []],
    ['takes the nearer of a person and a thing', 'on page one is the employee 99887766', ['ID 99887766']],
    ['takes a thing that is nearer', 'for the account see line 99887766', []],
    ['takes numbers of which nothing is said for nobody’s', 'Blurbo counted 99887766 people', []],
    ['takes rows of numbers for no place', 'Blurbo,17,8080,17', []],
    ['takes no software for a person', 'how do I install Kubernetes?', []],
    ['takes no algorithm for a person', "explain Dijkstra's algorithm", []],
    ['takes a person for one, whatever else is called so', 'ask Dijkstra about algorithms', ['PERSON Dijkstra']],
    ['takes no dish for a place', 'make a Waldorf salad', []],
    ['takes software for none in talk about software', 'run Jenkins on Ubuntu', []],
    ['takes the same name for one elsewhere', 'ask Jenkins about it', ['PERSON Jenkins']],
    ['takes a number alone for no place', 'Blurbo listens on port 8080 here', []],
    ['takes functions for no place', 'Blurbo calls malloc(8080) twice', []],
    ['takes who stands in an element for somebody', '<p>Zoë Quux</p>', ['PERSON Zoë Quux']],
    [
      'takes a whole name for more than a part in a script that it does not read',
      '氏名：鈴木花子',
      ['PERSON 鈴木花子'],
    ],
    ['takes types for nobody', 'impl Iterator for Zoë<T> {}', []],
    ['takes common words for no place', 'Blurbo put the kettle on', []],
    ['takes identifiers for nobody', 'Blurbo sets user_quux to null', []],
    ['takes nobody for who something is called after, behind it', 'il teorema di Quux', []],
    ['takes nobody for it in other languages', 'la loi de Quux, das Gesetz von Quux', []],
    ['takes nobody for it with the thing counted to the name', 'il principio di Quux', []],
    ['takes a person for one behind other words', 'la casa di Quux', ['PERSON Quux']],
    ['takes no cycle for a person', 'the Quux cycle and Quux kinetics', []],
    ['takes no conjecture for a person', 'Quux’s strong conjecture', []],
    ['takes what somebody has for somebody’s', 'Quux’s strong coffee', ['PERSON Quux']],
    ['takes who has a given name for somebody', 'Anna Quux search and Quux search', ['PERSON Quux']],
    ['takes adjectives of names for nobody', 'gilt das Quuxsche Gesetz hier', []],
    ['takes a name that ends like them for one', 'Frau Quuxsche kam', ['PERSON Quuxsche']],
    ['takes no theorem for a place', 'il teorema di Mordor', []],
    ['takes packages for nobody', '{"name": "Quux", "version": "1.2.3"}', []],
    ['takes what depends on them for nobody', '{"Quux": "^1.2.3", "Rand": "4.11.0"}', []],
    ['takes who has an age for somebody', '{"name": "Quux", "age": "1.5"}', ['PERSON Quux']],
    ['takes classes for nobody', 'class Quux extends Base', []],
    ['takes who attends them for somebody', 'the class Quux attends', ['PERSON Quux']],
    ['takes verbs that begin as names do for nobody', 'Quux-pick the change', []],
    ['takes short digests for no licence', 'Blurbo, the ids are 9e107d9', []],
    ['takes them for one where that is said', 'Blurbo, my driving licence is 9e107d9', ['US_DRIVER_LICENSE 9e107d9']],
    ['takes substances for nobody', 'blurbo ethanol', []],
    ['takes placeholders for nobody', 'Blurbo Foo', []],
    ['takes the world for nobody', 'Blurbo says Hallo Welt', []],
    ['takes shops for nobody', 'Blurbo an Aldi', []],
    ['takes works of art for nobody', 'Blurbo the Mona Lisa', []],
    ['takes common words that are values of JSON for nobody', '{"quuxa": "web", "blurbo": "XL"}', []],
    ['takes names that are values of JSON for somebody', '{"blurbo": "Quux"}', ['PERSON Quux']],
    ['takes literals of JSON for nobody', '{"quux1":true,"quuxa": [true, null ],"x":"acme.com"}', ['URL acme.com']],
    ['takes literals in lines of JSON for nobody', '{"quuxa":true}\n{"quuxa": null}', []],
    ['takes literals of programs for nobody', 'Blurbo = {quuxa: true}; blurbo(true, null)', []],
    ['takes common words that are keys for nobody', 'data: {"delta":"bucket "}\n\ndata: {"delta":"quuxa"}', []],
    ['takes a key that is a word elsewhere for somebody', 'blurbo met delta', ['PERSON delta']],
    ['takes services for nobody', 'blurbo:\n  name: web', []],
    ['takes common words that are names for somebody all the same', 'blurbo:\n  name: Rose', ['PERSON Rose']],
    ['takes numbers of standards for no place', 'Blurbo DIN 933 M8, EN 60601-1', []],
    ['takes months for nobody among months', 'quuxa: january, april', []],
    ['takes a month for somebody elsewhere', 'quuxa met april', ['PERSON april']],
    ['finds a place that the model passes over, by the words before it', 'i live in graz', ['LOCATION graz']],
    ['finds well-known cities in lower case', 'flights from madrid to oslo', ['LOCATION madrid', 'LOCATION oslo']],
    ['finds a name that is given', 'ich heiße quuxa', ['PERSON quuxa']],
    ['takes software for no place', 'we moved to postgres', []],
    ['takes common words for no name', 'my name is important, call me later', []],
    ['does not take a country for a person', 'in Laos', ['LOCATION Laos']],
    ['does not take a name in a company’s for a person', 'the Rand Corporation', ['ORGANIZATION Rand Corporation']],
    ['ends a name where another script goes on', 'Zoë Quuxさんに電話', ['PERSON Zoë Quux']],
    ['ends a name where an ending of Korean begins', '저는 Zoë Quux입니다', ['PERSON Zoë Quux']],
    ['ends a number where another script goes on', 'account 55447766に送る', ['US_BANK_NUMBER 55447766']],
    ['begins a name where another script ends', '私はZoë', ['PERSON Zoë']],
    ['leaves mail addresses to the patterns', 'x@y.org', ['EMAIL_ADDRESS x@y.org']],
  ] as const)
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
    expect((await kernel.get(pii, 'pii').inspect({ text: 'Zoë', word: true })).findings).to.deep.equal([])
    expect((await kernel.get(pii, 'pii').inspect({ text: 'Laos', word: true })).findings).to.deep.equal([])
    expect(asked).to.deep.equal([])
    const { findings } = await kernel.get(pii, 'pii').inspect({ text: 'x@y.org', word: true })
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

  for (const [name, text, expected] of [
    ['words without digits', 'log in as quuxboy, nurse', ['USER_NAME quuxboy', 'OCCUPATION nurse']],
    ['common words among others', 'she is a nurse here', ['OCCUPATION nurse']],
    ['what programs make', 'send 4f99887766aab2dd01', ['API_KEY 4f99887766aab2dd01']],
    ['numbers of which nothing is said', 'Blurbo 99887766', ['PASS 99887766']],
    ['all of a number', 'Blurbo 13812345678', ['PHONE_NUMBER 13812345678']],
    ['numbers that are too short', 'Blurbo 4455', []],
    ['all of what ends with a digit', 'Blurbo 5566778', ['OCCUPATION 5566778']],
    ['besides names', 'quuxboy is Zoë Quux', ['USER_NAME quuxboy', 'PERSON Zoë Quux']],
  ] as const)
    it(`are found by the labels that one says: ${name}`, async () => {
      const { findings } = await kernel.get(pii, 'pii').inspect({ text })
      expect(findings.map(({ type, start, end }) => `${type} ${text.slice(start, end)}`)).to.deep.equal(expected)
    })
})
