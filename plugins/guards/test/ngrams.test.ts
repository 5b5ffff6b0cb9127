import { expect } from 'chai'
import { NGramClassifier } from '../src/classifiers/ngram-classifier.js'
import { wordsOf } from '../src/classifiers/words.js'
import { modelFolder } from '../src/files.js'
import { pacerOf, vectorsOf } from './support.js'

interface Vector {
  readonly text: string
  readonly windows: number
  readonly logits: readonly (readonly number[])[]
}

describe('n-grams', () => {
  it('compute what the training script computed', async () => {
    const ngrams = await NGramClassifier.load(modelFolder)
    for (const { text, windows, logits } of vectorsOf<Vector>('ngrams')) {
      const scored = await ngrams.score(await wordsOf(text, pacerOf()), pacerOf())
      expect(scored, text).to.have.length(windows)
      for (const [index, window] of scored.entries())
        for (const [output, value] of window.logits.entries())
          expect(value, text).to.be.closeTo(logits[index]?.[output] ?? NaN, 1e-3)
    }
  })
  it('count a feature once in a window, after four thousand million windows, too', async () => {
    const ngrams = await NGramClassifier.load(modelFolder)
    const score = async () => ngrams.score(await wordsOf('again and again and again', pacerOf()), pacerOf())
    const before = await score()
    expect(ngrams).to.have.property('windows')
    Object.assign(ngrams, { windows: 2 ** 32 })
    expect(await score()).to.deep.equal(before)
  })
})
