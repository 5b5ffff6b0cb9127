import { expect } from 'chai'
import fc from 'fast-check'
import { spansOf } from '../src/classification/word-spans.js'
import { windowsOf } from '../src/text/windows.js'

describe('windows', () => {
  const tokensOf = (count: number, word: number) =>
    Array.from({ length: count }, (_, index) => ({ beginsWord: index % word === 0 }))

  it('are one for what fits', () => {
    expect(windowsOf(tokensOf(10, 10), 10, 4)).to.deep.equal([{ from: 0, to: 10, firstCounted: 0 }])
  })

  it('are none without room for a token', () => {
    expect(() => windowsOf(tokensOf(10, 10), 0, 4)).to.throw(RangeError, 'no room')
  })

  it('cover all tokens, each once, with more of the text around it than elsewhere', () => {
    const shape = fc.record({
      tokens: fc.integer({ min: 1, max: 400 }),
      size: fc.integer({ min: 1, max: 60 }),
      overlap: fc.nat(70),
      word: fc.integer({ min: 1, max: 9 }),
    })
    fc.assert(
      fc.property(shape, ({ tokens, size, overlap, word }) => {
        const windows = windowsOf(tokensOf(tokens, word), size, overlap)
        const ends = windows.map((_, index) => windows[index + 1]?.firstCounted ?? tokens)
        let covered = 0
        for (const [index, { from, to, firstCounted }] of windows.entries()) {
          expect(firstCounted).to.equal(covered)
          expect(from).to.be.at.most(firstCounted)
          expect(ends[index]).to.be.within(firstCounted, to)
          expect(to - from).to.be.within(1, size)
          covered = ends[index]!
        }
        expect(covered).to.equal(tokens)
      }),
    )
  })
})

describe('spans of labelled words', () => {
  const text = 'Ada Lovelace met Bo in Rome'
  const words = Array.from(text.matchAll(/\S+/g), ({ 0: word, index }) => ({ start: index, end: index + word.length }))
  const cases: [scheme: string, labels: string, spans: string][] = [
    ['BIO', 'B-PER I-PER O B-PER O B-LOC', 'PER Ada Lovelace, PER Bo, LOC Rome'],
    ['BIO without a beginning', 'I-PER I-PER O I-PER I-LOC I-LOC', 'PER Ada Lovelace, PER Bo, LOC in Rome'],
    ['BIO, one after the other', 'B-PER B-PER O O O O', 'PER Ada, PER Lovelace'],
    ['BILOU', 'B-PER L-PER U-X U-PER O U-LOC', 'PER Ada Lovelace, X met, PER Bo, LOC Rome'],
    [
      'BILOU, one after the other',
      'U-PER U-PER B-PER I-PER L-PER L-PER',
      'PER Ada, PER Lovelace, PER met Bo in, PER Rome',
    ],
    ['BIOES', 'B-PER E-PER O S-PER O S-LOC', 'PER Ada Lovelace, PER Bo, LOC Rome'],
    ['no scheme', 'PER PER O PER LOC LOC', 'PER Ada Lovelace, PER Bo, LOC in Rome'],
    ['names with hyphens', 'B-E-MAIL I-E-MAIL O O O O', 'E-MAIL Ada Lovelace'],
  ]
  for (const [scheme, labels, expected] of cases) {
    it(`are joined by ${scheme}`, () => {
      const spans = spansOf(
        labels.split(' ').map((label, index) => ({ label, score: 0.5, ...words[index]! })),
        text,
      )
      const found = spans.map(({ label, start, end }) => `${label} ${text.slice(start, end)}`)
      expect(found.join(', ')).to.equal(expected)
    })
  }

  it('join what begins without anything before it, where words are parted by spaces', () => {
    const spansIn = (isSpaceOfWord: boolean, ...parts: string[]) => {
      const written = parts.join('')
      const starts = parts.map((_, index) => parts.slice(0, index).join('').length)
      const labelled = parts.map((part, index) => ({
        label: 'B-A',
        score: 1,
        start: starts[index]! + (isSpaceOfWord ? 0 : part.search(/\S/)),
        end: starts[index]! + part.length,
      }))
      return spansOf(labelled, written).map(({ start, end }) => written.slice(start, end))
    }
    for (const isSpaceOfWord of [false, true])
      expect(spansIn(isSpaceOfWord, '415', '-', '555', ' 132')).to.deep.equal(['415-555', '132'])
    expect(spansIn(false, '王明', '李华')).to.deep.equal(['王明', '李华'])
  })

  it('have the mean score of their words, and no space before them', () => {
    const labelled = [
      { label: 'B-A', score: 0.5, start: 3, end: 12 },
      { label: 'I-A', score: 1, start: 12, end: 16 },
    ]
    expect(spansOf(labelled, text)).to.deep.equal([{ label: 'A', score: 0.75, start: 4, end: 16 }])
  })
})
