import { expect } from 'chai'
import { checkExamples } from '../src/custom/examples.js'
import { recognizers } from '../src/recognizers/index.js'

describe('the recognisers', () => {
  for (const recognizer of recognizers)
    it(`${recognizer.entity}${recognizer.kind ? ` (${recognizer.kind})` : ''}: finds its examples, and nothing in its counter-examples`, () => {
      expect(recognizer.examples).to.not.have.length(0)
      expect(recognizer.counterExamples).to.not.have.length(0)
      checkExamples(recognizer)
    })
})
