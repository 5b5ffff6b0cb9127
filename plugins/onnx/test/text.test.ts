import { expect } from 'chai'
import fc from 'fast-check'
import { testCall } from '@sallyport/testing'
import { readDefinition } from '../src/text/tokenizer-definition.js'
import { NativeTokenizer } from '../src/text/native.js'
import { WindowedTokenizer } from '../src/text/windowed-tokenizer.js'
import type { Direction, TextToken } from '../src/text/windowed-tokenizer.js'
import { OnnxTokens } from '../src/tokens.js'
import { added, bytePair, definitions, idsOf, kinds, llama, tokenizerOf, wordPiece } from './support/tokenizers.js'
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

const tokensOfReplacement = await idsOf(tokenizerOf(bytePair), '\ufffd')

describe('a tokenizer from a tokenizer.json', () => {
  const tokenize = (kind: Kind, text: string) =>
    new OnnxTokens(tokenizerOf(definitions[kind])).tokenize({ text }, testCall())

  /**
   * The spans of tokens, in code points. Those of a word's start (▁) and of a character's bytes are the character's.
   */
  const spans: [Kind, text: string, tokens: string][] = [
    ['wordPiece', 'The unwanted FOX', '0-3 4-6 6-10 10-12 13-16'],
    ['wordPiece', 'Café, caf\u00e9', '0-4 4-5 6-10'],
    ['wordPiece', 'cafe\u0301s', '0-5 5-6'],
    ['wordPiece', '👍the中中', '0-4 4-5 5-6'],
    ['wordPiece', 'a𠜎a', '0-1 1-2 2-3'],
    ['wordPiece', 'ΣΣ fox', '0-1 1-2 3-6'],
    ['wordPiece', '[SEP]', '0-1 1-2 2-3 3-4 4-5'],
    ['bytePair', 'the fox 👍', '0-3 3-7 7-8 8-9 8-9 8-9'],
    ['bytePair', 'é€', '0-1 1-2 1-2 1-2'],
    ['bytePair', 'a<tool>the', '0-1 1-7 7-10'],
    ['llama', 'the fox', '0-3 3-7'],
    ['llama', 'x👍', '0-1 0-1 1-2 1-2 1-2 1-2'],
    ['unigram', 'the ﬁx Ｆox', '0-3 3-4 4-5 5-6 6-7 7-8 8-9 9-10'],
    ['unigram', '👍👍a', '0-1 0-2 2-3'],
  ]
  for (const [kind, text, expected] of spans) {
    it(`${kind}: finds the tokens of ${JSON.stringify(text)} in the text`, async () => {
      const { tokens } = await tokenize(kind, text)
      expect(tokens.map(({ start, end }) => `${start}-${end}`).join(' ')).to.equal(expected)
    })
  }

  for (const kind of kinds) {
    it(`${kind}: spans are within the text, in order, and hold the texts of the tokens`, () =>
      fc.assert(
        fc.asyncProperty(anyText, async (text) => {
          const characters = Array.from(text.replace(/\p{Surrogate}/gu, '\ufffd'))
          let previous = 0
          for (const { start, end, text: own } of (await tokenize(kind, text)).tokens) {
            expect(start).to.be.at.least(previous)
            expect(end).to.be.within(start, characters.length)
            expect(own).to.equal(characters.slice(start, end).join(''))
            previous = start
          }
        }),
      ))

    it(`${kind}: has the same tokens read in windows, from either end`, async () => {
      const native = new NativeTokenizer(readDefinition('tiny', definitions[kind]).json())
      const reader = new WindowedTokenizer(native, readDefinition('tiny', definitions[kind]).vocabulary)
      const read = async (text: string, length: number, direction: Direction) => {
        const windows: (readonly TextToken[])[] = []
        for await (const tokens of reader.tokenize(text, length, direction, testCall())) windows.push(tokens)
        const tokens = direction === 'forward' ? windows.flat() : windows.reverse().flat()
        return tokens.map(({ id, start, end, beginsWord }) => ({ id, start, end, beginsWord }))
      }
      const word = fc.constantFrom('the', ' fox', ' café,', '  unwanted', '中中', '👍', '\n', 'ﬁx. ', ' 中 fox')
      await fc.assert(
        fc.asyncProperty(fc.array(word, { minLength: 900, maxLength: 1500, size: 'max' }), async (words) => {
          const text = words.join('')
          const whole = await read(text, Infinity, 'forward')
          for (const direction of ['forward', 'backward'] as const)
            expect(await read(text, 1024, direction), direction).to.deep.equal(whole)
        }),
        { numRuns: 5 },
      )
    }).timeout(20_000)
  }

  for (const kind of lossless) {
    it(`${kind}: takes any text to tokens and back`, () => {
      const tokenizer = tokenizerOf(definitions[kind])
      return fc.assert(
        // a literal ▁ is a space to a vocabulary that writes spaces so
        fc.asyncProperty(
          anyText.map((text) => text.replace(/\p{Surrogate}|\u2581/gu, '')),
          async (text) => {
            expect(tokenizer.detokenize(await idsOf(tokenizer, text))).to.equal(text)
          },
        ),
      )
    })

    it(`${kind}: takes a long text without spaces to tokens and back`, async () => {
      const tokenizer = tokenizerOf(definitions[kind])
      const text = 'fox中👍'.repeat(12_000)
      expect(tokenizer.detokenize(await idsOf(tokenizer, text))).to.equal(text)
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
    it(`${kind}: detokenizes ${what}`, async () => {
      const tokenizer = tokenizerOf(definitions[kind])
      expect(tokenizer.detokenize(await idsOf(tokenizer, text))).to.equal(expected)
    })
  }

  const unknowns: [what: string, definition: unknown, ids: number[]][] = [
    ['that of the model', wordPiece, [wordPiece.model.vocab['[UNK]'] ?? NaN]],
    ['one that was added', { ...bytePair, added_tokens: [added(9, '<unk>')] }, [9]],
    ['the tokens of U+FFFD where there is none', bytePair, tokensOfReplacement],
  ]
  for (const [what, definition, ids] of unknowns)
    it(`takes ids outside the vocabulary for the unknown token: ${what}`, async () => {
      const tokenizer = tokenizerOf(definition)
      const { single } = tokenizer.templates
      expect(await tokenizer.encodeIds([5, 999_999, 6], {}, testCall())).to.deep.equal(single.apply([5, ...ids, 6]))
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
