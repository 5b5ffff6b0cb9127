import { ModelStore } from '@sallyport/store'
import { expect } from 'chai'
import { missingData } from './data.js'
import { compareVocabularies, vectorsFile } from './vocabularies.js'

describe('tokens of vocabularies that are known', function () {
  this.timeout(60_000)

  it('are those of the reference', async function () {
    const missing = missingData(vectorsFile)
    if (missing !== undefined) {
      console.log(`      skipped: ${missing}`)
      this.skip()
    }
    const outcomes = await compareVocabularies(new ModelStore({ offline: true }))
    for (const outcome of outcomes) {
      if ('skipped' in outcome) console.log(`      ${outcome.vocabulary} skipped: ${outcome.skipped}`)
      else expect(outcome.failures, outcome.vocabulary).to.deep.equal([])
    }
  })
})
