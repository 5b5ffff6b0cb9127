import { expect } from 'chai'
import fc from 'fast-check'
import { spansOf } from '../src/classification/word-spans.js'
import { windowsOf } from '../src/text/windows.js'

describe('windows', () => {
  it('are one for what fits', () => {
    expect(windowsOf(10, [0], 10, 4)).to.deep.equal([{ from: 0, to: 10, counts: 0 }])
  })

  it('are none without room for a token', () => {
    expect(() => windowsOf(10, [0], 0, 4)).to.throw(RangeError, 'no room')
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
        const starts = Array.from({ length: Math.ceil(tokens / word) }, (_, index) => index * word)
        const windows = windowsOf(tokens, starts, size, overlap)
        const ends = windows.map((_, index) => windows[index + 1]?.counts ?? tokens)
        let covered = 0
        for (const [index, { from, to, counts }] of windows.entries()) {
          expect(counts).to.equal(covered)
          expect(from).to.be.at.most(counts)
          expect(ends[index]).to.be.within(counts, to)
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
  const places: [number, number][] = [
    [0, 3],
    [4, 12],
    [13, 16],
    [17, 19],
    [20, 22],
    [23, 27],
  ]
  const cases: [scheme: string, labels: string[], spans: [label: string, text: string][]][] = [
    [
      'BIO',
      ['B-PER', 'I-PER', 'O', 'B-PER', 'O', 'B-LOC'],
      [
        ['PER', 'Ada Lovelace'],
        ['PER', 'Bo'],
        ['LOC', 'Rome'],
      ],
    ],
    [
      'BIO without a beginning',
      ['I-PER', 'I-PER', 'O', 'I-PER', 'I-LOC', 'I-LOC'],
      [
        ['PER', 'Ada Lovelace'],
        ['PER', 'Bo'],
        ['LOC', 'in Rome'],
      ],
    ],
    [
      'BIO, one after the other',
      ['B-PER', 'B-PER', 'O', 'O', 'O', 'O'],
      [
        ['PER', 'Ada'],
        ['PER', 'Lovelace'],
      ],
    ],
    [
      'BILOU',
      ['B-PER', 'L-PER', 'U-X', 'U-PER', 'O', 'U-LOC'],
      [
        ['PER', 'Ada Lovelace'],
        ['X', 'met'],
        ['PER', 'Bo'],
        ['LOC', 'Rome'],
      ],
    ],
    [
      'BILOU, one after the other',
      ['U-PER', 'U-PER', 'B-PER', 'I-PER', 'L-PER', 'L-PER'],
      [
        ['PER', 'Ada'],
        ['PER', 'Lovelace'],
        ['PER', 'met Bo in'],
        ['PER', 'Rome'],
      ],
    ],
    [
      'BIOES',
      ['B-PER', 'E-PER', 'O', 'S-PER', 'O', 'S-LOC'],
      [
        ['PER', 'Ada Lovelace'],
        ['PER', 'Bo'],
        ['LOC', 'Rome'],
      ],
    ],
    [
      'no scheme',
      ['PER', 'PER', 'O', 'PER', 'LOC', 'LOC'],
      [
        ['PER', 'Ada Lovelace'],
        ['PER', 'Bo'],
        ['LOC', 'in Rome'],
      ],
    ],
    ['names with hyphens', ['B-E-MAIL', 'I-E-MAIL', 'O', 'O', 'O', 'O'], [['E-MAIL', 'Ada Lovelace']]],
  ]
  for (const [scheme, labels, expected] of cases) {
    it(`are joined by ${scheme}`, () => {
      const words = labels.map((label, index) => ({
        label,
        score: 0.5,
        start: places[index]![0],
        end: places[index]![1],
      }))
      const spans = spansOf(words, text)
      expect(spans.map(({ label, start, end }) => [label, text.slice(start, end)])).to.deep.equal(expected)
    })
  }

  it('join what begins without anything before it, where words are parted by spaces', () => {
    const spansIn = (written: string, cuts: [number, number][]) =>
      spansOf(
        cuts.map(([start, end]) => ({ label: 'B-A', score: 1, start, end })),
        written,
      ).map(({ start, end }) => written.slice(start, end))
    const phone: [number, number][] = [
      [0, 3],
      [3, 4],
      [4, 7],
      [8, 11],
    ]
    expect(spansIn('415-555 132', phone)).to.deep.equal(['415-555', '132'])
    expect(
      spansIn('415-555 132', [
        [0, 7],
        [7, 11],
      ]),
    ).to.deep.equal(['415-555', '132'])
    expect(
      spansIn('王明李华', [
        [0, 2],
        [2, 4],
      ]),
    ).to.deep.equal(['王明', '李华'])
  })

  it('have the mean score of their words, and no space before them', () => {
    const words = [
      { label: 'B-A', score: 0.5, start: 3, end: 12 },
      { label: 'I-A', score: 1, start: 12, end: 16 },
    ]
    expect(spansOf(words, text)).to.deep.equal([{ label: 'A', score: 0.75, start: 4, end: 16 }])
  })
})
