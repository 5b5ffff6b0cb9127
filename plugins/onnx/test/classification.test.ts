import { expect } from 'chai'
import { textClassification, tokenClassification } from '@sallyport/core'
import { runConformance, testCall } from '@sallyport/testing'
import { labelsOf } from '../src/classification/labels.js'
import type { Labels } from '../src/classification/labels.js'
import { OnnxTextClassification } from '../src/classification/text-classification.js'
import { OnnxTokenClassification } from '../src/classification/token-classification.js'
import { spansOf } from '../src/classification/word-spans.js'
import type { Evaluate } from '../src/encoder/text-model.js'
import { sessionModel } from './support/session-model.js'
import { tinyClassifier, tinyTokenClassifier } from './support/tiny-models.js'
import { bytePair, encode, tokenizerOf, tokensOf, wordPiece } from './support/tokenizers.js'

const random = 'the weights of this model are random'

const softmax = (logits: readonly number[]) => {
  const powers = logits.map(Math.exp)
  return powers.map((power) => power / powers.reduce((sum, one) => sum + one, 0))
}

describe('the labels of a classifier', () => {
  const cases: [what: string, config: unknown, expected: Labels][] = [
    ['are named in config.json', { id2label: { 0: 'no', 1: 'yes' } }, { names: ['no', 'yes'], activation: 'softmax' }],
    [
      'stand for themselves where several may be right',
      { id2label: { 0: 'a', 1: 'b' }, problem_type: 'multi_label_classification' },
      { names: ['a', 'b'], activation: 'sigmoid' },
    ],
    [
      'stand for themselves where there is one',
      { id2label: { 0: 'toxic' } },
      { names: ['toxic'], activation: 'sigmoid' },
    ],
    ['may have gaps', { id2label: { 2: 'c', 0: 'a' } }, { names: ['a', 'LABEL_1', 'c'], activation: 'softmax' }],
    ['are not needed', undefined, { names: [], activation: 'softmax' }],
    ['are not made up from nonsense', { id2label: { x: 1, 99999999: 'far' } }, { names: [], activation: 'softmax' }],
  ]
  for (const [what, config, expected] of cases) it(what, () => expect(labelsOf(config, 'tiny')).to.deep.equal(expected))

  for (const [what, id2label, label] of [
    ['two outputs have', { 0: 'INJECTION', 1: 'INJECTION' }, 'INJECTION'],
    ['an output has that would be made up for another', { 0: 'LABEL_1', 2: 'c' }, 'LABEL_1'],
    [
      'the first and the last of thousands have',
      { ...Object.fromEntries(Array.from({ length: 9999 }, (_, id) => [id, `l${id}`])), 9999: 'l0' },
      'l0',
    ],
  ] as const)
    it(`are refused where one is what ${what}`, () =>
      expect(() => labelsOf({ id2label }, 'tiny')).to.throw(`model tiny: two labels of its config.json are "${label}"`))
})

describe('text classification', () => {
  const tokenizer = tokenizerOf(wordPiece)
  const tiny = tinyClassifier(3, { vocabulary: 80, typeIds: true })
  const inputs = [
    { text: 'the fox' },
    { text: 'the', pair: 'unwanted fox' },
    { text: '' },
    { text: 'fox '.repeat(500) },
  ]

  for (const activation of ['softmax', 'sigmoid'] as const) {
    it(`is the ${activation} of what the model says, best first`, async () => {
      const { evaluate, release } = await sessionModel(tiny.bytes)
      const names = ['a', 'b', 'c']
      const { labels } = await new OnnxTextClassification(tokenizer, evaluate, { names, activation }).classify(
        { inputs },
        testCall(),
      )
      await release()
      for (const [index, { text, pair }] of inputs.entries()) {
        const logits = tiny.expected(await encode(tokenizer, text, { ...(pair && { pair }), truncate: 'right' }))
        const expected = activation === 'softmax' ? softmax(logits) : logits.map((logit) => 1 / (1 + Math.exp(-logit)))
        const found = labels[index] ?? []
        for (const [id, name] of names.entries())
          expect(found.find(({ label }) => label === name)?.score).to.be.closeTo(expected[id]!, 1e-5)
        expect(found.map(({ score }) => score)).to.deep.equal(found.map(({ score }) => score).sort((a, b) => b - a))
      }
    })
  }

  it('keeps huge logits apart', async () => {
    const evaluate: Evaluate = () => Promise.resolve([Float32Array.of(1000, 999, -1000)])
    const service = new OnnxTextClassification(tokenizer, evaluate, { names: [], activation: 'softmax' })
    const { labels } = await service.classify({ inputs: [{ text: 'a' }] }, testCall())
    expect(labels[0]?.[0]).to.include({ label: 'LABEL_0' })
    expect(labels[0]?.[0]?.score).to.be.closeTo(1 / (1 + Math.exp(-1)), 1e-9)
    expect(labels[0]?.[2]?.score).to.equal(0)
  })

  runConformance(textClassification, {
    create: async () => {
      const { evaluate, release } = await sessionModel(tiny.bytes)
      return { service: new OnnxTextClassification(tokenizer, evaluate, labelsOf({}, 'tiny')), dispose: release }
    },
  })
})

describe('token classification', () => {
  const labels = ['O', 'B-A', 'I-A', 'B-B', 'I-B']

  it('labels words by their first token with what the model says of it', async () => {
    const tokenizer = tokenizerOf(wordPiece)
    const tiny = tinyTokenClassifier(labels.length, { vocabulary: 80 })
    const { evaluate, release } = await sessionModel(tiny.bytes, 'tokens')
    const service = new OnnxTokenClassification(
      tokenizer,
      evaluate,
      labelsOf({ id2label: Object.fromEntries(labels.entries()) }, 'tiny'),
    )
    const texts = ['the unwanted fox', '', '👍 Café, unwanted fox the the quick', 'zzz']
    const { spans } = await service.classify({ texts }, testCall())
    await release()
    for (const [index, text] of texts.entries()) {
      const tokens = await tokensOf(tokenizer, text)
      const rows = tiny
        .expected(await encode(tokenizer, text))
        .slice(1, -1)
        .map(softmax)
      // words by hand: a token that follows without a space continues a word, except for punctuation
      const words = Array.from(text.matchAll(/\p{L}+|[^\s\p{L}]+/gu), ({ 0: word, index: start }) => {
        const at = tokens.findIndex((token) => token.start === start)
        const score = Math.max(...rows[at]!)
        return { label: labels[rows[at]!.indexOf(score)]!, score, start, end: start + word.length }
      })
      const expected = spansOf(words, text)
      expect(spans[index]?.map(({ label, start, end }) => ({ label, start, end }))).to.deep.equal(
        expected.map(({ label, start, end }) => ({ label, start, end })),
      )
      for (const [place, { score }] of spans[index]!.entries())
        expect(score).to.be.closeTo(expected[place]!.score, 1e-5)
    }
  })

  /** Finds foxes where the word before is in the same window. */
  const foxes =
    (fox: number): Evaluate =>
    async (windows, make) => {
      const encodings = await Promise.all(windows.map(async (window) => make(window)))
      return encodings.map(({ ids }) =>
        Float32Array.from(ids.flatMap((id, place) => (id === fox && place > 1 ? [0, 9] : [9, 0]))),
      )
    }

  it('reads a text of any length, and finds what stands at the border of two windows', async () => {
    const tokenizer = tokenizerOf(wordPiece, 130)
    const service = new OnnxTokenClassification(tokenizer, foxes(6), { names: ['O', 'B-FOX'], activation: 'softmax' })
    for (const before of [0, 10, 60, 80, 100, 120, 126, 127, 128, 129, 1000, 20_000]) {
      const text = `👍 ${'the '.repeat(before)}fox`
      const { spans } = await service.classify({ texts: [text] }, testCall())
      expect(
        spans[0]?.map(({ start, end }) => [start, end]),
        String(before),
      ).to.deep.equal([[text.length - 3, text.length]])
    }
  }).timeout(10_000)

  it('leaves out the space that some vocabularies count to a word', async () => {
    const tokenizer = tokenizerOf(bytePair)
    const [fox] = await tokensOf(tokenizer, ' fox')
    const service = new OnnxTokenClassification(tokenizer, foxes(fox!.id), {
      names: ['O', 'B-FOX'],
      activation: 'softmax',
    })
    const { spans } = await service.classify({ texts: ['👍 the fox'] }, testCall())
    expect(spans[0]).to.have.length(1)
    expect(spans[0]?.[0]).to.include({ start: 7, end: 10 })
  })

  runConformance(tokenClassification, {
    create: async () => {
      const tokenizer = tokenizerOf(wordPiece)
      const tiny = tinyTokenClassifier(labels.length, { vocabulary: 80 })
      const { evaluate, release } = await sessionModel(tiny.bytes, 'tokens')
      return {
        service: new OnnxTokenClassification(
          tokenizer,
          evaluate,
          labelsOf({ id2label: Object.fromEntries(labels.entries()) }, 'tiny'),
        ),
        dispose: release,
      }
    },
    skip: {
      'a name is found where it stands': random,
      'positions count UTF-16 code units': random,
      'a name at the end of a long text is found': random,
    },
  })
})
