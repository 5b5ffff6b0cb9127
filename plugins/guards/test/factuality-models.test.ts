import { createKernel } from '@sallyport/kernel'
import { factuality } from '@sallyport/checks'
import { definePlugin, injectable, textClassification } from '@sallyport/core'
import type { Kernel, TextClassificationCapability, TextClassificationRequest } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { expect } from 'chai'
import plugin from '../src/index.js'

const reference =
  'The bridge was opened in 1932 by Mayor Anna Holt. It is 504 metres long and carries two railway tracks. ' +
  'It was built of granite.'

@injectable()
class Classifier implements TextClassificationCapability {
  protected readonly score: number = 0.5

  classify({ inputs }: TextClassificationRequest) {
    const labels = ['supported', 'contradicted', 'follows'].map((label) => ({ label, score: this.score }))
    return Promise.resolve({ labels: inputs.map(() => labels) })
  }
}

@injectable()
class SureClassifier extends Classifier {
  protected override readonly score = 0.9999
}

const model = { capability: textClassification, class: Classifier }
const classifiers = definePlugin({
  name: 'classifiers',
  models: { claims: { ...model, aliases: ['statements'] }, other: model },
})

describe('a model with the labels of claims', () => {
  for (const [name, options, detector] of [
    ['claims', {}, 'factuality-cross-encoder/1'],
    ['statements', {}, 'factuality-cross-encoder/1'],
    ['claims', { labels: { entailment: 'follows' } }, 'factuality-entailment/1'],
    ['other', {}, 'factuality-entailment/1'],
  ] as const)
    it(`is read by ${detector} where it is called ${name} with the options ${JSON.stringify(options)}`, async () => {
      const kernel = await createKernel({
        plugins: [plugin, classifiers],
        models: { factuality: { backend: 'factuality', options: { model: name, ...options } } },
      })
      const request = { text: 'The bridge is long.', reference }
      const inspection = await kernel.get(factuality, 'factuality').inspect(request, testCall())
      await kernel.stop()
      expect(inspection.detector).to.equal(detector)
    })
})

describe('a model that takes every claim for supported', () => {
  let kernel: Kernel
  before(async () => {
    const models = { claims: { capability: textClassification, class: SureClassifier } }
    kernel = await createKernel({
      plugins: [plugin, definePlugin({ name: 'sure', models })],
      models: { factuality: { backend: 'factuality', options: { model: 'claims' } } },
    })
  })
  after(() => kernel.stop())

  for (const [text, isSupported] of [
    ['It is 504 metres long.', true],
    ["It isn't 504 metres long.", false],
    ['It is false that it was built of granite.', false],
    ['It carries 504 railway tracks and is two metres long.', false],
  ] as const)
    it(`${isSupported ? 'decides' : 'does not decide'} on "${text}"`, async () => {
      const { score } = await kernel.get(factuality, 'factuality').inspect({ text, reference }, testCall())
      expect(score < 0.5).to.equal(isSupported)
    })
})
