import assert from 'node:assert/strict'
import type { Token, TokensCapability } from '@sallyport/core'
import { callCases } from './call-cases.js'
import { cases } from './case.js'
import type { ConformanceCase } from './case.js'
import { loneSurrogates, unusualTexts } from './samples.js'
import { codePoints, testCall, valueUnless } from './support.js'

const plain = [
  'The quick brown fox jumps over the lazy dog.',
  'Zwölf Boxkämpfer jagen Viktor quer über den Sylter Deich.',
] as const

const tokenize = async (service: TokensCapability, text: string) =>
  (await service.tokenize({ text }, testCall())).tokens

const roundTrip = async (service: TokensCapability, text: string) => {
  const ids = (await tokenize(service, text)).map(({ id }) => id)
  return (await service.detokenize({ tokens: ids }, testCall())).text
}

/** The length in code points, in which offsets count. */
const lengthOf = (text: string) => codePoints(text).length

/** Asserts that the spans go forward and leave no code point out; tokens that share a character share its span. */
const assertCovers = (tokens: readonly Token[], text: string): void => {
  let [covered, previous] = [0, 0]
  for (const { start, end } of tokens) {
    assert.ok(start <= end && end <= lengthOf(text), `the span ${start}..${end} is not within 0..${lengthOf(text)}`)
    assert.ok(start >= previous, `the span ${start}..${end} begins before ${previous}`)
    assert.ok(start <= covered, `nothing covers ${covered}..${start} of ${JSON.stringify(text)}`)
    covered = Math.max(covered, end)
    previous = start
  }
  assert.equal(covered, lengthOf(text), `the spans end before ${JSON.stringify(text)} does`)
}

const roundTripsOf = (texts: readonly string[]) => async (service: TokensCapability) => {
  for (const text of texts) assert.equal(await roundTrip(service, text), text)
}

export const tokensCases: readonly ConformanceCase<TokensCapability>[] = [
  ...callCases<TokensCapability, { text: string }, { tokens: Token[] }>({
    method: 'tokenize',
    request: (_, which) => ({ text: plain[which] }),
    invoke: (service, request, call) => service.tokenize(request, call),
  }),
  ...callCases<TokensCapability, { tokens: number[] }, { text: string }>({
    method: 'detokenize',
    request: (_, which) => ({ tokens: which ? [5, 6, 7, 8] : [65, 66, 67] }),
    invoke: (service, request, call) => service.detokenize(request, call),
  }),
  ...cases<TokensCapability>({
    'round trip: plain text': roundTripsOf(plain),
    ...Object.fromEntries(
      Object.entries(unusualTexts).map(([what, text]) => [`round trip: ${what}`, roundTripsOf([text])]),
    ),
    'lone surrogates become U+FFFD, or are refused': async (service) => {
      const text = await valueUnless(roundTrip(service, loneSurrogates), 'invalid_request')
      if (text !== undefined) assert.equal(text, loneSurrogates.replaceAll(/\p{Surrogate}/gu, '\uFFFD'))
    },
    'offsets are code points and cover the text': async (service) => {
      for (const text of [...plain, ...Object.values(unusualTexts)]) assertCovers(await tokenize(service, text), text)
    },
    'ids are whole numbers from 0 on': async (service) => {
      for (const { id } of await tokenize(service, plain.join(' ')))
        assert.ok(Number.isInteger(id) && id >= 0, `the id ${id}`)
    },
    'an empty text has no tokens but special ones': async (service) => {
      for (const { start, end } of await tokenize(service, '')) assert.deepEqual([start, end], [0, 0])
      assert.equal((await service.detokenize({ tokens: [] }, testCall())).text, '')
    },
    'an id outside the vocabulary becomes U+FFFD': async (service) => {
      const { text } = await service.detokenize({ tokens: [2147483647] }, testCall())
      assert.equal(text, '\uFFFD')
    },
    'long texts without spaces take linear time': async (service) => {
      const text = 'pneumonoultramicroscopicsilicovolcanoconiosis'.repeat(1000)
      const short = await fastest(() => tokenize(service, text.slice(0, text.length / 8)))
      const limit = 200 + 16 * short
      const long = await fastest(() => tokenize(service, text), limit)
      assert.ok(long < limit, `${short} ms became ${long} ms for eight times the text`)
    },
  }),
]

/**
 * Milliseconds of the fastest of three runs, or of the first run below the limit: other work may slow down single runs.
 */
const fastest = async (work: () => Promise<unknown>, limit = 0): Promise<number> => {
  let best = Infinity
  for (let round = 0; round < 3 && best >= limit; round++) {
    const before = performance.now()
    await work()
    best = Math.min(best, performance.now() - before)
  }
  return best
}
