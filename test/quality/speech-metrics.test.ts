import { expect } from 'chai'
import { editDistance, spokenWords } from './speech-metrics.js'

describe('figures of transcription', () => {
  for (const [expected, heard, wrong] of [
    ['a b c', 'a b c', 0],
    ['a b c', 'a c', 1],
    ['a c', 'a b c', 1],
    ['a b c', 'a x c', 1],
    ['a b', '', 2],
    ['', 'a b', 2],
    ['a b c d', 'b c d e', 2],
  ] as const)
    it(`"${heard}" instead of "${expected}" is wrong by ${wrong} words`, () => {
      expect(editDistance(spokenWords(expected), spokenWords(heard))).to.equal(wrong)
    })

  it('words are compared without case and punctuation', () => {
    expect(spokenWords(" “Don't,” she said: 42!")).to.deep.equal(["don't", 'she', 'said', '42'])
  })
})
