import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createKernel } from '@sallyport/kernel'
import { factuality } from '@sallyport/checks'
import type { Kernel } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { expect } from 'chai'
import { EntailmentModel, premiseOf } from '../src/factuality/entailment.js'
import { comparedWords } from '../src/factuality/compared-words.js'
import type { Comparison } from '../src/factuality/features.js'
import { RecentReferences, Reference } from '../src/factuality/reference.js'
import plugin from '../src/index.js'
import type { Classifier as OpenedClassifier } from '../src/models.js'
import { expectLinear, pacerOf } from './support.js'

const reference =
  'The bridge was opened in 1932 by Mayor Anna Holt. It is 504 metres long and carries two railway tracks. ' +
  'It was built of granite.'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

describe('what a model reads of a reference with a claim', () => {
  const sentences = Array.from({ length: 60 }, (_, index) => `This is what the sentence ${index} of them says.`)
  const long = Reference.read(sentences.join(' '), pacerOf())
  const numbersIn = (premise: string) => Array.from(premise.matchAll(/sentence (\d+)/g), ([, number]) => Number(number))

  it('supports no claim whose end the model would not see', async () => {
    const labels = [{ label: 'entailment', score: 0.99 }]
    const model = {
      classify: ({ inputs }: { inputs: readonly unknown[] }) => Promise.resolve({ labels: inputs.map(() => labels) }),
    }
    const classifier = { model: () => model, name: 'nli' } as unknown as OpenedClassifier
    const entailment = EntailmentModel.of(classifier, 'entailment', labels)
    const claims = [100, 2000].map((length) => {
      const text = 'word '.repeat(length / 5)
      return { text, words: comparedWords(text), comparison: { closest: [0] } as unknown as Comparison }
    })
    const [short = 0, cut = 0] = await entailment.supportLogits(claims, await long, testCall())
    expect([short > 0, cut < -10]).to.deep.equal([true, true])
  })

  it('is all of a short one', async () => {
    expect(premiseOf(await Reference.read(reference, pacerOf()), [1])).to.equal(reference)
  })

  it('has no more of a sentence than the model reads', async () => {
    const line = await Reference.read('stone and wood '.repeat(10_000), pacerOf())
    expect(premiseOf(line, [0])).to.have.length(1200)
  })

  for (const [name, closest] of [
    ['at the beginning', [0]],
    ['in the middle', [30]],
    ['at the end', [59]],
    ['in two places', [50, 10]],
    ['nowhere', []],
  ] as const)
    it(`has the closest sentences ${name}, and as many around them as there is room for`, async () => {
      const premise = premiseOf(await long, closest)
      const numbers = numbersIn(premise)
      expect(numbers).to.include.members([...closest])
      expect(numbers).to.deep.equal(numbers.toSorted((a, b) => a - b))
      expect(premise.length).to.be.within(1100, 1200)
      const centres = closest.length > 0 ? [...closest] : [0]
      const distanceOf = (number: number) => Math.min(...centres.map((centre) => Math.abs(centre - number)))
      for (const number of numbers.filter((one) => distanceOf(one) > 0))
        expect(
          numbers.some((other) => Math.abs(other - number) === 1 && distanceOf(other) < distanceOf(number)),
        ).to.equal(true)
    })
})

describe('factuality', () => {
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({ plugins: [plugin], models: { factuality: { backend: 'factuality' } } })
  })
  after(() => kernel.stop())

  const inspect = (text: string, against: string | undefined = reference) =>
    kernel.get(factuality, 'factuality').inspect({ text, reference: against }, testCall())

  for (const [name, claim, reason] of [
    ['another number', 'The bridge was opened in 1942.', 'a number'],
    ['another name', 'The bridge was opened by Mayor Peter Quill.', 'a name'],
    ['a date', 'The bridge was opened in September.', 'a date'],
    ['a denial', 'The bridge was not opened in 1932.', 'a negation'],
    ['a denial by another word', 'The bridge never carries railway tracks.', 'a negation'],
    ['another place', 'The bridge was built in Oslo.', 'a name'],
    [
      'the opposite',
      'The bridge was closed in 1932 by Mayor Anna Holt.',
      'differs from the reference in a word with the opposite',
    ],
    ['something else', 'The tunnel was closed after an earthquake.', 'not supported'],
  ] as const)
    it(`finds ${name}`, async () => {
      const { score, explanation } = await inspect(claim)
      expect(score).to.be.at.least(0.5)
      expect(explanation).to.contain(reason).and.not.to.contain('does not have')
    })

  for (const claim of ['The bridge was opened in 1942.', 'The bridge was opened by Mayor Peter Quill.'])
    it(`finds "${claim}" in a reference of a hundred sentences`, async () => {
      const { score } = await inspect(claim, `${reference}${' It was built of granite.'.repeat(100)}`)
      expect(score).to.be.at.least(0.5)
    })

  const lie = 'The bridge is radioactive.'
  for (const [name, text] of [
    ['soft hyphens', Array.from(lie).join('\u00ad')],
    ['zero-width spaces', Array.from(lie).join('\u200b')],
    ['marks on its letters', Array.from(lie).join('\u0301')],
    ['points', Array.from(lie).join('.')],
    ['emphasis', Array.from(lie, (letter) => `**${letter}**`).join('')],
    ['empty elements', Array.from(lie).join('<b></b>')],
    ['circles', 'Ⓣⓗⓔ ⓑⓡⓘⓓⓖⓔ ⓘⓢ ⓡⓐⓓⓘⓞⓐⓒⓣⓘⓥⓔ.'],
  ] as const)
    it(`reads through ${name}`, async () => expect((await inspect(text)).score).to.be.at.least(0.5))

  for (const [name, text] of [
    ['lines', Array.from(lie).join('\n')],
    ['cells', `| ${Array.from(lie).join(' | ')} |`],
    ['a word in parts', 'The bridge is r/a/d/i/o/a/c/t/i/v/e.'],
    ['Braille', '⠞⠓⠑ ⠃⠗⠊⠙⠛⠑'],
    ['a word of Braille', 'The bridge is ⠗⠁⠙⠊⠕.'],
    ['Braille before a courtesy', '⠗⠁⠙⠊⠕ I hope this helps!'],
    ['one letter', '毒。'],
    ['words that say nothing', 'It is.'],
  ] as const)
    it(`supports no letters without a word: ${name}`, async () => {
      const { score, explanation } = await inspect(text)
      expect(score).to.equal(1)
      expect(explanation).to.contain('no words to compare')
    })

  it('says where in the text a disguised claim stands, and where in the reference its support', async () => {
    const against = 'It is of stone. The bri\u00addge was opened in 1932 by May<b></b>or Anna Holt.'
    const text = 'It is of stone. The **bri**dge was op\u200bened by Ma\u00adyor Anna Holt.'
    const { claims = [], findings } = await inspect(text, against)
    expect(findings).to.deep.equal([])
    expect(
      claims.map(({ start, end, support }) => [
        text.slice(start, end),
        ...support.map((span) => against.slice(span.start, span.end)),
      ])[1],
    ).to.deep.equal([text.slice(16), against.slice(16)])
  })

  for (const claim of [
    'The bridge was opened in 1932.',
    'The bridge carries two railway tracks.',
    'The bridge is 504 metres long and was built of granite.',
    'Hello!',
    '',
  ])
    it(`finds nothing in "${claim}"`, async () => expect((await inspect(claim)).findings).to.deep.equal([]))

  const tower =
    'The Eiffel Tower is 330 metres tall and stands in Paris. About six million people visit it every year. ' +
    'Ticket prices increased in May, but it was not closed.'
  for (const [claim, supported] of [
    ['The Eiffel Tower is 330 metres tall.', true],
    ['The Eiffel Tower stands in Paris.', true],
    ['Roughly 6 million visitors come each year.', true],
    ['The tower was not closed.', true],
    ['The Eiffel Tower is not 330 metres tall.', false],
    ["The Eiffel Tower isn't in Paris.", false],
    ['It is false that the tower stands in Paris.', false],
    ['The tower never is 330 metres tall.', false],
    ['The tower does not stand in Paris.', false],
    ['Ticket prices increased in May, and it was closed.', false],
    ['Ticket prices increased, but it wasn’t closed.', true],
    ['The Eiffel Tower is in London.', false],
    ['The Eiffel Tower is 300 metres tall.', false],
    ['Ticket prices increased in June.', false],
  ] as const)
    it(`${supported ? 'supports' : 'does not support'} "${claim}"`, async () => {
      const { score } = await inspect(claim, tower)
      if (supported) expect(score).to.be.below(0.5)
      else expect(score).to.be.at.least(0.5)
    })

  for (const [claim, isSupported] of [
    ['The machine weighs 11 kilograms and costs 499 euros.', true],
    ['The machine weighs 499 kilograms and costs 11 euros.', false],
  ] as const)
    it(`${isSupported ? 'supports' : 'does not support'} "${claim}"`, async () => {
      const { score } = await inspect(claim, 'The machine weighs 11 kilograms and costs 499 euros.')
      expect(score < 0.5).to.equal(isSupported)
    })

  it('judges each sentence, and says where it stands', async () => {
    const text = '  The bridge was opened in 1932.\n\nIt was painted by a thousand monkeys in 1950!  '
    const { findings, explanation } = await inspect(text)
    expect(findings.map(({ type, start, end }) => [type, text.slice(start, end)])).to.deep.equal([
      ['unsupported_claim', 'It was painted by a thousand monkeys in 1950!'],
    ])
    expect(explanation).to.contain('claim 2')
  })

  it('names the sentences that say most of a claim', async () => {
    expect((await inspect('The bridge carries two railway tracks.')).explanation).to.contain('sentences 1 and 2')
  })

  it('gives each claim with its place, the sentences that support it, and what they do not have', async () => {
    const text = 'It was built of granite. The bridge was opened in 1942.'
    const { claims = [] } = await inspect(text)
    expect(
      claims.map(({ start, end, support, differences }) => [
        text.slice(start, end),
        support.map((span) => reference.slice(span.start, span.end))[0],
        differences,
      ]),
    ).to.deep.equal([
      ['It was built of granite.', 'It was built of granite.', []],
      ['The bridge was opened in 1942.', 'The bridge was opened in 1932 by Mayor Anna Holt.', ['number']],
    ])
    expect(claims[0]!.score).to.be.below(0.5)
    expect(claims[1]!.score).to.be.at.least(0.5)
  })

  it('supports nothing by an empty reference', async () => {
    expect((await inspect('The bridge was opened in 1932.', '')).score).to.be.at.least(0.5)
  })

  it('reads a reference once for the sentences of an answer', async () => {
    const read = Reference.read.bind(Reference)
    let times = 0
    Reference.read = (...given) => {
      times += 1
      return read(...given)
    }
    try {
      for (let sentence = 0; sentence < 40; sentence += 1)
        await inspect('It was built of granite.', `${reference} Why?`)
      await inspect('It was built of granite.', undefined)
    } finally {
      Reference.read = read
    }
    // Held weakly: a collection of garbage may come in between.
    expect(times).to.be.within(1, 10)
  })

  it('reads a reference once for a tenant, and for no other', async () => {
    const references = new RecentReferences()
    const read = (tenant: string) => references.read('The bridge was built in 1904.', pacerOf(tenant))
    const one = await read('one')
    await turn()
    collectGarbage()
    expect(await read('one')).to.equal(one)
    expect(await read('other')).to.not.equal(one)
  })

  for (const [name, text, against] of [
    ['one word again and again', 'the ', 'the '],
    ['one sentence again and again', 'The bridge is long. ', 'It was built of granite. '],
    ['no sentences', 'granite ', 'bridge '],
  ] as const)
    it(`takes linear time where both texts are long: ${name}`, async () => {
      await expectLinear((length) => {
        const [long = '', other] = [text, against].map((part) => part.repeat(length / part.length))
        return inspect(long, other)
      })
    }).timeout(120_000)

  it('takes linear time where all words differ', async () => {
    const words = (seed: number, length: number) =>
      Array.from({ length: length / 6 }, (_, index) => (index * 7_919 + seed).toString(36).replace(/\d/g, 'q')).join(
        ' ',
      )
    await expectLinear((length) => inspect(words(1_000_003, length), words(5_000_011, length)))
  }).timeout(120_000)
})
