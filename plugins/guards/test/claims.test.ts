import { timed } from '@sallyport/stand-ins/timed'
import { expect } from 'chai'
import type { WordPieceTokenizer } from '../src/classifiers/wordpiece.js'
import { comparedWords } from '../src/factuality/compared-words.js'
import { CrossEncoder } from '../src/factuality/cross-encoder.js'
import { compare } from '../src/factuality/features.js'
import { WordSimilarity } from '../src/factuality/word-similarity.js'
import { Reference } from '../src/factuality/reference.js'
import { FactualityModel } from '../src/factuality/model.js'
import { modelFolder } from '../src/files.js'
import { loadTokenizer } from '../src/models.js'
import type { Classifier } from '../src/models.js'
import { pacerOf, vectorsOf } from './support.js'

interface FeatureVector {
  readonly reference: string
  readonly claim: string
  readonly features: readonly number[]
  readonly logit: number
}

interface PairVector {
  readonly reference: string
  readonly claim: string
  readonly ids: readonly number[]
}

const [startId, endId] = [101, 102]

describe('claims', () => {
  let tokenizer: WordPieceTokenizer
  let model: FactualityModel
  before(async () => {
    tokenizer = await loadTokenizer()
    model = await FactualityModel.load(modelFolder, tokenizer)
  })

  for (const { reference, claim, features, logit } of vectorsOf<FeatureVector>('factuality'))
    it(`have the features of the training script: "${claim}" by "${reference.slice(0, 20)}…"`, async () => {
      const read = await Reference.read(reference, pacerOf())
      const compared = compare(comparedWords(claim), read, model, new WordSimilarity(model, read.contentWords))
      const differing = compared.features.flatMap((value, at) =>
        Math.abs(value - (features[at] ?? NaN)) < 1e-3 ? [] : [`${model.file.features[at] ?? ''}: ${value}`],
      )
      expect(differing).to.deep.equal([])
      expect(model.supportLogit(compared.features)).to.be.closeTo(logit, 1e-3)
    })

  for (const { reference, claim, ids } of vectorsOf<PairVector>('claims'))
    it(`stand with the evidence of the training script: "${claim.slice(0, 60)}" by ${reference.length}`, async () => {
      const crossEncoder = new CrossEncoder({ name: 'claims' } as Classifier, tokenizer, model)
      const read = await Reference.read(reference, pacerOf())
      const [pair] = await crossEncoder.pairsOf({ text: claim, words: comparedWords(claim) }, read, pacerOf())
      const [claimIds, evidenceIds] = [pair!.text, pair!.pair].map((text) => tokenizer.idsOfText(text))
      expect([startId, ...claimIds!, endId, ...evidenceIds!, endId]).to.deep.equal(ids)
    })

  for (const [name, line] of [
    ['words', 'granite bridge '.repeat(2_000)],
    ['marks', 'granite '.padEnd(20_000, '-')],
    ['letters without a space', '橋'.repeat(20_000)],
  ] as const)
    it(`stand with the beginning of a long line of ${name}`, async () => {
      const crossEncoder = new CrossEncoder({ name: 'claims' } as Classifier, tokenizer, model)
      const read = await Reference.read(line, pacerOf())
      const claim = 'The bridge is of granite.'
      const [pair] = await crossEncoder.pairsOf({ text: claim, words: comparedWords(claim) }, read, pacerOf())
      expect(line.startsWith(pair!.pair)).to.equal(true)
      expect(tokenizer.idsOfText(pair!.pair + pair!.text)).to.have.length(221)
    })

  it('let other work run while their evidence is chosen from many sentences', async () => {
    const words = Array.from({ length: 400 }, (_, index) => `w${index.toString(36)}`)
    const sentences = Array.from({ length: 20_000 }, (_, at) => `${words[at % 400]!} ${words[(at * 7 + 1) % 400]!}.`)
    const read = await Reference.read(sentences.join(' '), pacerOf())
    const crossEncoder = new CrossEncoder({ name: 'claims' } as Classifier, tokenizer, model)
    const claim = words.slice(0, 90).join(' ')
    const { total, longest } = await timed(() =>
      crossEncoder.pairsOf({ text: claim, words: comparedWords(words.join(' ')) }, read, pacerOf()),
    )
    expect(longest).to.be.below(total / 2)
  })

  for (const number of ['735 000', '735\u00a0000', '735\u202f000', '735.000', '735000', '735’000'])
    it(`with ${number} have the same number as a reference with 735,000`, () => {
      const stems = (text: string) => comparedWords(text).map(({ stem }) => stem)
      expect(stems(`It has ${number} inhabitants.`)).to.deep.equal(stems('It has 735,000 inhabitants.'))
    })
})
