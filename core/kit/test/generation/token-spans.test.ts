import { expect } from 'chai'
import { tokenSpans } from '../../src/generation/token-spans.js'

type Piece = string | readonly number[]

const cases: [what: string, text: string, pieces: readonly Piece[], spans: readonly (readonly [number, number])[]][] = [
  [
    'are code points',
    'a€👍b',
    ['a€', '👍', 'b'],
    [
      [0, 2],
      [2, 3],
      [3, 4],
    ],
  ],
  [
    'are shared within a character',
    'a€b',
    [[0x61, 0xe2], [0x82], [0xac, 0x62]],
    [
      [0, 2],
      [1, 2],
      [1, 3],
    ],
  ],
  [
    'are empty for empty pieces',
    'ab',
    ['', 'a', '', 'b'],
    [
      [0, 0],
      [0, 1],
      [1, 1],
      [1, 2],
    ],
  ],
  [
    'leave out a space that the vocabulary adds',
    'Hello',
    [' He', 'llo'],
    [
      [0, 2],
      [2, 5],
    ],
  ],
  [
    'leave out an added space that is a token',
    'a',
    [' ', 'a'],
    [
      [0, 0],
      [0, 1],
    ],
  ],
  [
    'are found where the vocabulary has lower case only',
    'Hi THERE',
    ['hi', ' the', 're'],
    [
      [0, 2],
      [3, 6],
      [6, 8],
    ],
  ],
  [
    'are found where the vocabulary has no accents',
    'Déjà vu',
    ['deja', ' vu'],
    [
      [0, 4],
      [5, 7],
    ],
  ],
  [
    'are found where accents are characters',
    'De\u0301ja\u0300 vu',
    ['de', 'ja', ' vu'],
    [
      [0, 3],
      [3, 6],
      [7, 9],
    ],
  ],
  [
    'are found where the vocabulary has other forms of the characters, ligatures parted',
    'ﬁx Ａb ½',
    ['f', 'ix', ' ab', ' 1⁄2'],
    [
      [0, 1],
      [0, 2],
      [3, 5],
      [6, 7],
    ],
  ],
  [
    'are found where the last letter of a word has a form of its own',
    'ΟΔΟΣ Α',
    ['οδος', ' α'],
    [
      [0, 4],
      [5, 6],
    ],
  ],
  [
    'are empty for pieces that are not in the text',
    'Über',
    ['[CLS]', 'uber', '[SEP]'],
    [
      [0, 0],
      [0, 4],
      [4, 4],
    ],
  ],
  [
    'skip what has no token',
    'Gut  tut GUT',
    ['gut', ' gut'],
    [
      [0, 3],
      [9, 12],
    ],
  ],
  [
    'are not found far away',
    `A${'x'.repeat(100)}B`,
    ['a', 'b'],
    [
      [0, 1],
      [1, 1],
    ],
  ],
  [
    'are empty in an empty text',
    '',
    ['', '[SEP]'],
    [
      [0, 0],
      [0, 0],
    ],
  ],
]

describe('the spans of tokens', () => {
  for (const [what, text, pieces, spans] of cases) {
    it(what, () => {
      const tokens = tokenSpans(
        pieces.map((piece, id) => ({ id, bytes: Buffer.from(piece as string) })),
        text,
      )
      expect(tokens.map(({ start, end }) => [start, end])).to.deep.equal(spans)
    })
  }

  it('come with ids and texts', () => {
    expect(tokenSpans([{ id: 7, bytes: Buffer.of(0xff, 0x61) }], 'b')).to.deep.equal([
      { id: 7, text: '\ufffda', start: 0, end: 0 },
    ])
  })
})
