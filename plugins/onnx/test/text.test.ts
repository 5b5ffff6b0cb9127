import { expect } from 'chai'
import fc from 'fast-check'
import { readDefinition } from '../src/text/definition.js'
import { TextReader } from '../src/text/text-reader.js'
import {
  added,
  bytePair,
  definitions,
  idsOf,
  kinds,
  llama,
  tokenizerOf,
  tokensOf,
  wordPiece,
} from './support/tokenizers.js'
import type { Kind } from './support/tokenizers.js'
import { errorOf } from './support/error-of.js'

const lossless = ['bytePair', 'llama', 'unigramOfBytes'] as const

/** Few characters, so that words, tokens and what lies at their borders occur, and any others. */
const some = fc.constantFrom(
  ...Array.from('the fox  caféwanted.,中\n\t'),
  'ﬁ',
  'Ａ',
  'e\u0301',
  '👍',
  'Σ',
  '𠜎',
  '</s>',
  '[SEP]',
  '<tool>',
)
const anyText = fc.oneof(
  fc.array(some, { maxLength: 24 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 24 }),
)

const around = (first: string, last: string) => ({
  type: 'BertProcessing',
  cls: [first, 1],
  sep: [last, 2],
})

describe('a tokenizer from a tokenizer.json', () => {
  const spans: [Kind, text: string, tokens: readonly (readonly [text: string, start: number, end: number])[]][] = [
    [
      'wordPiece',
      'The unwanted FOX',
      [
        ['The', 0, 3],
        ['un', 4, 6],
        ['want', 6, 10],
        ['ed', 10, 12],
        ['FOX', 13, 16],
      ],
    ],
    [
      'wordPiece',
      'Café, caf\u00e9',
      [
        ['Café', 0, 4],
        [',', 4, 5],
        ['caf\u00e9', 6, 10],
      ],
    ],
    [
      'wordPiece',
      'cafe\u0301s',
      [
        ['cafe\u0301', 0, 5],
        ['s', 5, 6],
      ],
    ],
    [
      'wordPiece',
      '👍the中中',
      [
        ['👍the', 0, 4],
        ['中', 4, 5],
        ['中', 5, 6],
      ],
    ],
    [
      'wordPiece',
      'a𠜎a',
      [
        ['a', 0, 1],
        ['𠜎', 1, 2],
        ['a', 2, 3],
      ],
    ],
    [
      'wordPiece',
      'ΣΣ fox',
      [
        ['Σ', 0, 1],
        ['Σ', 1, 2],
        ['fox', 3, 6],
      ],
    ],
    [
      'wordPiece',
      '[SEP]',
      [
        ['[', 0, 1],
        ['S', 1, 2],
        ['E', 2, 3],
        ['P', 3, 4],
        [']', 4, 5],
      ],
    ],
    [
      'bytePair',
      'the fox 👍',
      [
        ['the', 0, 3],
        [' fox', 3, 7],
        [' ', 7, 8],
        ['👍', 8, 9],
        ['👍', 8, 9],
        ['👍', 8, 9],
      ],
    ],
    [
      'bytePair',
      'é€',
      [
        ['é', 0, 1],
        ['€', 1, 2],
        ['€', 1, 2],
        ['€', 1, 2],
      ],
    ],
    [
      'bytePair',
      'a<tool>the',
      [
        ['a', 0, 1],
        ['<tool>', 1, 7],
        ['the', 7, 10],
      ],
    ],
    [
      'llama',
      'the fox',
      [
        ['the', 0, 3],
        [' fox', 3, 7],
      ],
    ],
    [
      'llama',
      'x👍',
      [
        ['', 0, 0],
        ['x', 0, 1],
        ['👍', 1, 2],
        ['👍', 1, 2],
        ['👍', 1, 2],
        ['👍', 1, 2],
      ],
    ],
    [
      'unigram',
      'the ﬁx Ｆox',
      [
        ['the', 0, 3],
        [' ', 3, 4],
        ['ﬁ', 4, 5],
        ['x', 5, 6],
        [' ', 6, 7],
        ['Ｆ', 7, 8],
        ['o', 8, 9],
        ['x', 9, 10],
      ],
    ],
    [
      'unigram',
      '👍👍a',
      [
        ['', 0, 0],
        ['👍👍', 0, 2],
        ['a', 2, 3],
      ],
    ],
  ]
  for (const [kind, text, expected] of spans) {
    it(`${kind}: finds the tokens of ${JSON.stringify(text)} in the text`, () => {
      const tokens = tokensOf(tokenizerOf(definitions[kind]), text)
      expect(tokens.map((token) => [token.text, token.start, token.end])).to.deep.equal(expected)
    })
  }

  for (const kind of kinds) {
    it(`${kind}: spans are within the text, in order, and hold the texts of the tokens`, () => {
      const tokenizer = tokenizerOf(definitions[kind])
      fc.assert(
        fc.property(anyText, (text) => {
          const characters = Array.from(text.replace(/\p{Surrogate}/gu, '\ufffd'))
          let previous = 0
          for (const { start, end, text: own } of tokensOf(tokenizer, text)) {
            expect(start).to.be.at.least(previous)
            expect(end).to.be.within(start, characters.length)
            expect(own).to.equal(characters.slice(start, end).join(''))
            previous = start
          }
        }),
      )
    })

    it(`${kind}: has the same tokens read in parts`, () => {
      const reader = new TextReader(readDefinition('tiny', definitions[kind]))
      const whole = { first: true, last: true, continues: false }
      const tokenizer = tokenizerOf(definitions[kind])
      const word = fc.constantFrom('the', ' fox', ' café,', '  unwanted', '中中', '👍', '\n', 'ﬁx. ', ' 中 fox')
      fc.assert(
        fc.property(fc.array(word, { minLength: 9000, maxLength: 12_000, size: 'max' }), (words) => {
          const text = words.join('')
          expect([...tokenizer.parts(text)].flat()).to.deep.equal([...reader.parts(text, whole)])
        }),
        { numRuns: 4 },
      )
    }).timeout(20_000)
  }

  for (const kind of lossless) {
    it(`${kind}: takes any text to tokens and back`, () => {
      const tokenizer = tokenizerOf(definitions[kind])
      fc.assert(
        // a literal ▁ is a space to a vocabulary that writes spaces so
        fc.property(
          anyText.map((text) => text.replace(/\p{Surrogate}|\u2581/gu, '')),
          (text) => {
            expect(tokenizer.detokenize(idsOf(tokenizer, text))).to.equal(text)
          },
        ),
      )
    })

    it(`${kind}: takes a long text without spaces to tokens and back`, () => {
      const tokenizer = tokenizerOf(definitions[kind])
      const text = 'fox中👍'.repeat(12_000)
      expect(tokenizer.detokenize(idsOf(tokenizer, text))).to.equal(text)
    }).timeout(10_000)
  }

  const detokenized: [Kind, what: string, text: string, expected: string][] = [
    ['wordPiece', 'words', 'The unwanted fox, the CAFÉ!', 'the unwanted fox, the cafe!'],
    ['wordPiece', 'an unknown word', 'the ₿₿ fox', 'the \ufffd fox'],
    ['bytePair', 'spaces before punctuation', "the fox . 's ?", "the fox . 's ?"],
    ['bytePair', 'a byte order mark', '\ufeffthe', '\ufeffthe'],
    ['unigram', 'compatibility characters', 'the ﬁx', 'the fix'],
  ]
  for (const [kind, what, text, expected] of detokenized) {
    it(`${kind}: detokenizes ${what}`, () => {
      const tokenizer = tokenizerOf(definitions[kind])
      expect(tokenizer.detokenize(idsOf(tokenizer, text))).to.equal(expected)
    })
  }

  const unknowns: [what: string, definition: unknown, ids: number[]][] = [
    ['that of the model', wordPiece, [wordPiece.model.vocab['[UNK]'] ?? NaN]],
    ['one that was added', { ...bytePair, added_tokens: [added(9, '<unk>')] }, [9]],
    ['the tokens of U+FFFD where there is none', bytePair, idsOf(tokenizerOf(bytePair), '\ufffd')],
  ]
  for (const [what, definition, ids] of unknowns)
    it(`takes ids outside the vocabulary for the unknown token: ${what}`, () => {
      const tokenizer = tokenizerOf(definition)
      const { single } = tokenizer.frames
      expect(tokenizer.encodeIds([5, 999_999, 6])).to.deep.equal(single.around([5, ...ids, 6]))
    })

  it('detokenizes ids outside the vocabulary to U+FFFD, and special tokens to nothing', () => {
    for (const kind of kinds)
      expect(tokenizerOf(definitions[kind]).detokenize([2147483647, -1])).to.match(/^\ufffd ?\ufffd$/)
    expect(tokenizerOf(wordPiece).detokenize([2, 4, 6, 3])).to.equal('the fox')
    expect(tokenizerOf(llama).detokenize([])).to.equal('')
  })

  for (const [what, definition] of [
    ['nothing', undefined],
    ['no model', { added_tokens: [] }],
    ['a model of an unknown kind', { ...wordPiece, model: { type: 'Oracle' } }],
    ['an unknown step', { ...wordPiece, normalizer: { type: 'Shuffle' } }],
    ['a special token that is not in the vocabulary', { ...wordPiece, post_processor: around('[A]', '[B]') }],
    ['an added token without text', { ...wordPiece, added_tokens: [{ id: 1 }] }],
    ['an endless vocabulary', { ...wordPiece, added_tokens: [{ id: 2 ** 31, content: 'a' }] }],
  ] as const) {
    it(`refuses ${what}`, () => {
      expect(errorOf(() => tokenizerOf(definition))?.code).to.equal('model_invalid')
    })
  }
})
