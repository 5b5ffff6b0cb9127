import { expect } from 'chai'
import { diarizationError, editDistance, spokenWords } from './speech-metrics.js'

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

  const truth = [
    { start: 0, end: 10, speaker: 'a' },
    { start: 10, end: 20, speaker: 'b' },
  ]
  for (const [name, heard, error] of [
    [
      'other labels for the same',
      [
        { start: 0, end: 10, speaker: 'y' },
        { start: 10, end: 20, speaker: 'x' },
      ],
      0,
    ],
    [
      'a change that is off by less than the collar',
      [
        { start: 0, end: 10.2, speaker: 'y' },
        { start: 10.2, end: 20, speaker: 'x' },
      ],
      0,
    ],
    ['one speaker', [{ start: 0, end: 20, speaker: 'y' }], 0.5],
    ['nobody', [], 1],
    [
      'two at once',
      [
        { start: 0, end: 20, speaker: 'y' },
        { start: 0, end: 20, speaker: 'x' },
      ],
      1,
    ],
  ] as const)
    it(`the diarization error of ${name} is ${error}`, () => {
      expect(diarizationError(truth, heard)).to.be.closeTo(error, 0.01)
    })
})
