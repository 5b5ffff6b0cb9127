import { setImmediate as nextTurn } from 'node:timers/promises'
import { testCall } from '@sallyport/testing'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Steps } from '@sallyport/kit/async'
import { bm25, normaliseInParts, wordsOf } from '../src/rerank/bm25.js'
import { HybridRerank } from '../src/rerank/hybrid-rerank.js'
import { PassageSplitter } from '../src/rerank/passages.js'
import { definitions, encode, idsOf, kinds, tokenizerOf, tokensOf } from './support/tokenizers.js'

const marks = (count: number) => `a${'\u0301\u0327\u0316'.repeat(count / 3)}`

/** Milliseconds of the process's time, which other processes take no part of. */
const spent = (since: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

/** Milliseconds of the longest step, and how many there are. */
const measured = (steps: Steps<unknown>) => {
  let longest = 0
  for (let count = 1; ; count += 1) {
    const before = process.cpuUsage()
    const { done } = steps.next()
    longest = Math.max(longest, spent(before))
    if (done) return { longest, count }
  }
}

/**
 * How often the event loop turns while work is done, and the milliseconds of the process's time for the longest turn.
 */
const turnsOf = async (work: () => Promise<unknown>) => {
  const state = { ended: false }
  const working = work().finally(() => (state.ended = true))
  let [count, longest] = [0, 0]
  for (; !state.ended; count += 1) {
    const before = process.cpuUsage()
    await nextTurn()
    longest = Math.max(longest, spent(before))
  }
  await working
  return { count, longest }
}

/** Far above what a step takes, and far below what the whole text does. */
const bound = 300

describe('text with many marks in a row', () => {
  const some = fc.constantFrom('a', 'é', 'ﬁ', '각', '\u0301', '\u0327', '\u0316', '\u{1d165}', '\u{1d16e}')
  const text = fc.array(some, { maxLength: 80 }).map((parts) => parts.join(''))

  it('is normalised in pieces without long runs that make up the text', () => {
    fc.assert(
      fc.property(text, fc.boolean(), (written, more) => {
        const pieces: string[] = []
        const whole = more ? written + marks(99) + written : written
        const kept = normaliseInParts(whole, (piece) => {
          pieces.push(piece)
          return piece
        })
        expect([kept, pieces.join('')]).to.deep.equal([whole, whole])
        for (const piece of pieces) expect(piece).not.to.match(/\p{Mark}{31}/u)
        if (!/\p{Mark}{30}/u.test(whole)) expect(pieces).to.deep.equal([whole])
      }),
    )
  })

  it('is read as words in linear time, however long', () => {
    const before = process.cpuUsage()
    expect(wordsOf(`${marks(900_000)} fox`)).to.have.length(2)
    expect(spent(before)).to.be.below(1000)
  }).timeout(60_000)

  for (const kind of kinds)
    it(`${kind}: is tokenized in linear time, beside the event loop`, async () => {
      const tokenizer = tokenizerOf(definitions[kind])
      const turns = await turnsOf(async () => {
        for (const truncate of ['left', 'right'] as const) await encode(tokenizer, marks(180_000), { truncate })
        await idsOf(tokenizer, marks(180_000))
      })
      expect(turns.longest).to.be.below(bound)
    }).timeout(60_000)
})

describe('a long text', () => {
  it('leaves the event loop to others where it has few tokens', async () => {
    const tokenizer = tokenizerOf(definitions.wordPiece)
    const { count, longest } = await turnsOf(() => encode(tokenizer, ' '.repeat(2_000_000)))
    expect(count).to.be.above(100)
    expect(longest).to.be.below(bound)
  }).timeout(20_000)

  it('has the tokens of its parts where lone surrogates stand in it', async () => {
    const tokenizer = tokenizerOf(definitions.wordPiece)
    const lone = await tokensOf(tokenizer, 'the \ud800fox \udc00 '.repeat(4000))
    const replaced = await tokensOf(tokenizer, 'the \ufffdfox \ufffd '.repeat(4000))
    expect(lone).to.deep.equal(replaced)
  })

  it('has its words counted in steps, each where it would be in the whole', () => {
    const documents = [`${'quick fox, '.repeat(100_000)}dog`, 'quick dog', 'x'.repeat(200_000)]
    const { count, longest } = measured(bm25('fox dog', documents))
    expect(count).to.be.above(60)
    expect(longest).to.be.below(bound)
  })

  it('leaves the event loop to others while it is ranked', async () => {
    const tokenizer = tokenizerOf(definitions.wordPiece)
    const vectors = (texts: readonly unknown[]) => texts.map(() => Float32Array.of(1, 0))
    const service = new HybridRerank(
      { embedTexts: (texts) => Promise.resolve({ vectors: vectors(texts), promptTokens: 1 }) },
      new PassageSplitter(tokenizer),
    )
    const state = { ended: false }
    const documents = [`${' '.repeat(2_000_000)}fox`, 'the quick fox '.repeat(150_000)]
    const ranked = service.rerank({ query: 'fox', documents }, testCall()).finally(() => (state.ended = true))
    let turns = 0
    for (; !state.ended; turns += 1) await nextTurn()
    expect((await ranked).ranking).to.have.length(2)
    expect(turns).to.be.above(8)
  }).timeout(20_000)
})
