import { expect } from 'chai'
import { comparedWords } from '../src/factuality/compared-words.js'
import { compare } from '../src/factuality/features.js'
import { WordSimilarity } from '../src/factuality/word-similarity.js'
import { Reference } from '../src/factuality/reference.js'
import { FactualityModel } from '../src/factuality/model.js'
import { modelFolder } from '../src/files.js'
import { loadTokenizer } from '../src/models.js'
import { pacerOf, vectorsOf } from './support.js'

interface Vector {
  readonly reference: string
  readonly claim: string
  readonly features: readonly number[]
  readonly logit: number
}

describe('features of claims', () => {
  let model: FactualityModel
  before(async () => {
    model = await FactualityModel.load(modelFolder, await loadTokenizer())
  })

  for (const { reference, claim, features, logit } of vectorsOf<Vector>('factuality'))
    it(`are those of the training script: "${claim}" by "${reference.slice(0, 20)}…"`, async () => {
      const read = await Reference.read(reference, pacerOf())
      const compared = compare(comparedWords(claim), read, model, new WordSimilarity(model, read.contentWords))
      const differing = compared.features.flatMap((value, at) =>
        Math.abs(value - (features[at] ?? NaN)) < 1e-3 ? [] : [`${model.file.features[at] ?? ''}: ${value}`],
      )
      expect(differing).to.deep.equal([])
      expect(model.supportLogit(compared.features)).to.be.closeTo(logit, 1e-3)
    })
})
