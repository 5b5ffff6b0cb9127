import { expect } from 'chai'
import { chrf } from './chrf.js'

describe('chrF', () => {
  // computed with sacrebleu 2.6.0, corpus_chrf
  for (const [pairs, score] of [
    [[['the cat', 'the cat']], 100],
    [[['the cat sat', 'a cat sat down']], 40.491474889359665],
    [
      [
        ['Die Bücherei ist zu.', 'Die Bibliothek ist sonntags geschlossen.'],
        ['Guten Tag', 'Guten Morgen'],
      ],
      16.391838956512398,
    ],
    [[['xyz', 'abc']], 0],
    [[['ab', 'abcdefgh']], 23.404255319148938],
    [
      [
        ['', 'abc'],
        ['abc d', 'abc d'],
      ],
      75.32861476238625,
    ],
  ] as [[string, string][], number][])
    it(`of ${pairs.map(([translation]) => translation).join(' / ')} is that of sacrebleu`, () => {
      const rows = pairs.map(([translation, reference]) => ({ translation, reference }))
      expect(chrf(rows)).to.be.closeTo(score, 1e-6)
    })
})
