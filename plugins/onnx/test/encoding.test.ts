import { expect } from 'chai'
import fc from 'fast-check'
import { isSallyportError } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { readDefinition } from '../src/text/tokenizer-definition.js'
import { pairLengths } from '../src/text/tokenizer.js'
import { bytePair, definitions, encode, idsOf, kinds, tokenizerOf, unigram, wordPiece } from './support/tokenizers.js'

const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (isSallyportError(error) ? { code: error.code, details: error.details } : error),
  )

describe('encoding', () => {
  const the = 4
  const fox = 6

  it('puts special tokens around a text, whatever tokenizer.json says of its length', async () => {
    const { ids, typeIds } = await encode(tokenizerOf(wordPiece), 'the the fox fox')
    expect(ids).to.deep.equal([2, the, the, fox, fox, 3])
    expect(typeIds).to.deep.equal([0, 0, 0, 0, 0, 0])
  })

  it('puts special tokens around and between two texts', async () => {
    const { ids, typeIds } = await encode(tokenizerOf(wordPiece), 'the', { pair: 'fox fox' })
    expect(ids).to.deep.equal([2, the, 3, fox, fox, 3])
    expect(typeIds).to.deep.equal([0, 0, 0, 1, 1, 1])
  })

  it('makes no special token of a text', async () => {
    expect((await encode(tokenizerOf(wordPiece), '[SEP]')).ids).to.have.length(7)
    expect(await idsOf(tokenizerOf(unigram), '</s>')).not.to.include(2)
    expect(await idsOf(tokenizerOf(bytePair), '<|end|>')).to.have.length(7)
  })

  it('cuts a text at either end and keeps the special tokens', async () => {
    const tokenizer = tokenizerOf(wordPiece, 5)
    expect((await encode(tokenizer, 'the the fox fox', { truncate: 'right' })).ids).to.deep.equal([2, the, the, fox, 3])
    expect((await encode(tokenizer, 'the the fox fox', { truncate: 'left' })).ids).to.deep.equal([2, the, fox, fox, 3])
    expect((await tokenizer.encodeIds([the, the, fox, the], { truncate: 'left' }, testCall())).ids).to.deep.equal([
      2,
      the,
      fox,
      the,
      3,
    ])
  })

  for (const side of ['left', 'right'] as const) {
    it(`cuts a long text at the ${side} to the tokens of the whole`, async () => {
      const word = fc.constantFrom('the', ' fox', ' café,', ' unwanted', '中', '👍 ', '\n')
      return fc.assert(
        fc.asyncProperty(
          fc.array(word, { minLength: 1500, maxLength: 3000, size: 'max' }),
          fc.constantFrom(...kinds),
          async (words, kind) => {
            const tokenizer = tokenizerOf(definitions[kind], 40)
            const text = words.join('')
            const all = await idsOf(tokenizer, text)
            const room = 40 - tokenizer.templates.single.specialTokenCount
            const kept = side === 'right' ? all.slice(0, room) : all.slice(-room)
            expect(await encode(tokenizer, text, { truncate: side })).to.deep.equal(
              await tokenizer.encodeIds(kept, {}, testCall()),
            )
          },
        ),
        { numRuns: 25 },
      )
    }).timeout(20_000)
  }

  it('refuses what is too long and says by how much', async () => {
    const tokenizer = tokenizerOf(wordPiece, 5)
    for (const encoding of [
      () => encode(tokenizer, 'the the fox fox'),
      () => encode(tokenizer, 'the', { pair: 'fox fox' }),
      () => tokenizer.encodeIds([4, 4, 4, 4], {}, testCall()),
    ])
      expect(await errorOf(encoding())).to.deep.equal({ code: 'context_exceeded', details: { tokens: 6, limit: 5 } })
  })

  for (const kind of kinds) {
    it(`${kind}: does not read all of a megabyte to refuse or to cut it`, async () => {
      const tokenizer = tokenizerOf(definitions[kind])
      for (const text of ['the fox '.repeat(131_072), 'fox中👍'.repeat(200_000)]) {
        const started = performance.now()
        const error = await errorOf(encode(tokenizer, text))
        for (const truncate of ['left', 'right'] as const) {
          expect((await encode(tokenizer, text, { truncate })).ids.length).to.be.at.most(64)
        }
        expect(performance.now() - started).to.be.below(400)
        expect(error).to.have.nested.property('details.atLeast', true)
      }
    })
  }

  it('cuts the longer one of two texts, or the second', () => {
    const cases: [first: number, second: number, room: number, keepFirst: boolean, expected: [number, number]][] = [
      [3, 4, 10, false, [3, 4]],
      [3, 20, 10, false, [3, 7]],
      [20, 3, 10, false, [7, 3]],
      [20, 20, 11, false, [5, 6]],
      [21, 20, 11, false, [6, 5]],
      [20, 20, 0, false, [0, 0]],
      [6, 20, 12, true, [6, 6]],
      [9, 20, 12, true, [9, 3]],
      [20, 20, 12, true, [9, 3]],
      [20, 1, 12, true, [11, 1]],
    ]
    for (const [first, second, room, keepFirst, [a, b]] of cases)
      expect(pairLengths(first, second, room, keepFirst), `${first} ${second} ${room}`).to.deep.equal({
        first: a,
        second: b,
      })
  })

  it('knows the padding', () => {
    expect(tokenizerOf(wordPiece).padId).to.equal(0)
    expect(tokenizerOf(unigram).padId).to.equal(1)
    const told = (padToken: string) => readDefinition('tiny', unigram, padToken)
    expect(told('</s>').padId).to.equal(2)
    expect(told('nowhere').padId).to.equal(1)
  })
})
