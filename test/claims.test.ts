import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { textClassification } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import { factuality } from '@sallyport/checks'
import { createKernel } from '@sallyport/kernel'
import { testCall } from '@sallyport/testing'
import { expect } from 'chai'
import { repository } from './support/repository.js'

interface PairVector {
  readonly reference: string
  readonly claim: string
  readonly ids: readonly number[]
  readonly logits: readonly number[]
}

interface ClaimVector {
  readonly reference: string
  readonly claim: string
  /** By its words alone. */
  readonly logit: number
}

const vectorsOf = (name: string): unknown =>
  JSON.parse(readFileSync(join(repository, `plugins/guards/test/vectors/${name}.tests.json`), 'utf8'))

const stated =
  'The old bridge over the river Arve, which was opened in 1932 by Mayor Anna Holt after nine years of work by more than ' +
  'two thousand people from the villages of the valley, is 504 metres long, carries two railway tracks and a narrow path ' +
  'for those who walk, was built of grey granite from the quarries of the northern mountains, has eleven arches of which ' +
  'the tallest reaches 48 metres, and was repaired in 1987 by engineers of the university, who replaced the iron of the ' +
  'rails, the lamps and the gates at both ends'

const labels = ['supported', 'contradicted']
const logistic = (logit: number) => 1 / (1 + Math.exp(-logit))
const maxTokens = 224

describe('claims compared by the model that comes with the guards', function () {
  this.timeout(60_000)
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({
      plugins: ['@sallyport/onnx', '@sallyport/guards'],
      models: {
        claims: { backend: 'onnx' },
        factuality: {
          backend: 'factuality',
          options: { model: 'claims', operatingPoint: { short: 0, perDoubling: 0 } },
        },
      },
    })
  })
  after(() => kernel.stop())

  it('have the logits that the training script wrote, whose evidence is the whole reference', async () => {
    const vectors = (vectorsOf('claims') as PairVector[]).filter(({ ids }) => ids.length < maxTokens - 10)
    const inputs = vectors.map(({ claim, reference }) => ({ text: claim, pair: reference }))
    const result = await kernel.get(textClassification, 'claims').classify({ inputs }, testCall())
    for (const [index, scores] of result.labels.entries()) {
      expect(scores.map(({ label }) => label)).to.have.members(labels)
      for (const { label, score } of scores) {
        const logit = vectors[index]?.logits[labels.indexOf(label)] ?? NaN
        expect(score, `${label}: ${inputs[index]?.text ?? ''}`).to.be.closeTo(logistic(logit), 0.005)
      }
    }
  })

  it('are scored by the model and their words together', async () => {
    const pairs = vectorsOf('claims') as PairVector[]
    const vectors = (vectorsOf('factuality') as ClaimVector[]).flatMap((vector) => {
      const pair = pairs.find(({ claim, reference }) => claim === vector.claim && reference === vector.reference)
      // The package spells contractions of `not` out, which the training script does not.
      return pair && vector.claim && !vector.claim.includes("n't")
        ? [{ ...vector, pairLogit: pair.logits[0] ?? NaN }]
        : []
    })
    expect(vectors).to.have.length.of.at.least(33)
    for (const { reference, claim, logit, pairLogit } of vectors) {
      const combined = logit + pairLogit
      const { score, detector, claims } = await kernel
        .get(factuality, 'factuality')
        .inspect({ text: claim, reference }, testCall())
      expect(detector).to.equal('factuality-cross-encoder/1')
      // Words alone decide what is plainly negated.
      const isNegated = claims?.[0]?.differences.includes('negation') && score > logistic(-combined)
      expect(score, claim).to.be.closeTo(isNegated ? 1 : logistic(-combined), 0.01)
    }
  })

  it('are only what stands behind an introductory phrase', async () => {
    const text = 'According to the manual, the warranty covers two years.'
    const reference = 'The warranty covers two years from the date of purchase.'
    const { score } = await kernel.get(factuality, 'factuality').inspect({ text, reference }, testCall())
    expect(score).to.be.below(0.5)
  })

  for (const [end, isFlagged] of [
    ['a museum of its history', false],
    ['nothing of its history', true],
  ] as const)
    it(`are read to their end where they are long: … ${end}`, async () => {
      const text = `${stated}, and next to it stands the house of the keeper, which today holds ${end}.`
      const reference = `${stated}. Next to it stands the house of the keeper, which today holds a museum of its history.`
      const { score } = await kernel.get(factuality, 'factuality').inspect({ text, reference }, testCall())
      expect(score >= 0.5).to.equal(isFlagged)
    })
})
