/** What chat and text completion have in common: limits, stop texts, seeds, counts. */

import assert from 'node:assert/strict'
import type { Call, ChatChoice, ChatChunk, GenerationOptions } from '@sallyport/core'
import { collect } from '@sallyport/kit/generation'
import type { ConformanceCase } from './case.js'
import { defaultPrompts } from './facts.js'
import type { ModelFacts } from './facts.js'
import {
  assertFailure,
  assertWellFormed,
  collectPieces,
  outcomeWithin,
  present,
  rejectsWith,
  testCall,
} from './support.js'
import { streamCases } from './stream-cases.js'
import type { Streaming } from './stream-cases.js'

/** Pieces of completion are among those of chat. */
export type Piece = ChatChunk

/** Makes a request of a prompt. */
export type Ask<Request> = (prompt: string, options: GenerationOptions) => Request

/** Greedy, and long enough to see something. */
export const steady = { temperature: 0, maxTokens: 24 } as const

export const promptsOf = ({ prompts }: ModelFacts) => prompts ?? defaultPrompts

export const deltasOf = (pieces: readonly object[]): string[] =>
  pieces.flatMap((piece) => ('delta' in piece && typeof piece.delta === 'string' && piece.delta ? [piece.delta] : []))

/** The answer to a request as one choice. */
export const answerTo = async <Request>(
  service: Streaming<Request, Piece>,
  request: Request,
  call: Call = testCall(),
): Promise<ChatChoice> => {
  const { choices } = await collect(service.stream(request, call))
  assert.equal(choices.length, 1, `the stream had ${choices.length} choices`)
  return present(choices[0], 'the choice')
}

export const generationCases = <Request>(ask: Ask<Request>): ConformanceCase<Streaming<Request, Piece>>[] => [
  ...streamCases<Request, Piece>({
    request: (facts, which) => ask(promptsOf(facts)[which], steady),
    summary: (pieces) => ({
      text: deltasOf(pieces).join(''),
      finish: pieces.flatMap((piece) => ('finish' in piece ? [piece.finish] : [])),
    }),
  }),
  ...shapeCases(ask),
  ...limitCases(ask),
  ...samplingCases(ask),
]

const shapeCases = <Request>(ask: Ask<Request>): ConformanceCase<Streaming<Request, Piece>>[] => [
  {
    name: 'text comes first, then one finish and nothing after it',
    async run(service, facts) {
      const pieces = await collectPieces(service.stream(ask(promptsOf(facts)[0], steady), testCall()))
      assert.ok(deltasOf(pieces).length > 0, 'no text came')
      assert.equal(pieces.filter((piece) => 'finish' in piece).length, 1, 'there must be one finish')
      assert.ok('finish' in present(pieces.at(-1), 'the last piece'), 'something came after the finish')
      assert.ok(
        pieces.every(({ choice = 0 }) => choice === 0),
        'a request for one choice got another one',
      )
    },
  },
  {
    name: 'characters of several code units arrive whole',
    async run(service) {
      const prompt = 'Repeat exactly: 👩‍👩‍👧‍👦 🏳️‍🌈 naïve café e\u0301te\u0301 日本語 שלום 🇩🇪 𝒳'
      const deltas = deltasOf(await collectPieces(service.stream(ask(prompt, steady), testCall())))
      for (const delta of deltas) assertWellFormed(delta)
      assert.ok(!deltas.join('').includes('\uFFFD'), 'the text holds U+FFFD: a character was cut')
    },
  },
  {
    name: 'a lone surrogate in the prompt is answered or refused',
    async run(service) {
      const request = ask('Repeat exactly: left \uD83D right \uDC00 end', steady)
      const outcome = await outcomeWithin(answerTo(service, request), 60_000)
      if ('value' in outcome) {
        assertWellFormed(outcome.value.text)
        return
      }
      if ('pending' in outcome) assert.fail('no answer came')
      assertFailure(outcome.error, ['invalid_request', 'unsupported'])
    },
  },
  {
    name: 'usage counts the prompt and what was generated',
    async run(service, facts) {
      const [prompt] = promptsOf(facts)
      const short = await usageOf(service, ask(prompt, steady))
      assert.ok(short.promptTokens > 0 && short.completionTokens > 0, 'no token was counted')
      assert.ok(short.completionTokens <= steady.maxTokens, 'more tokens were counted than were allowed')
      assert.ok((short.cachedTokens ?? 0) <= short.promptTokens, 'more tokens were cached than there are')
      assert.ok((short.reasoningTokens ?? 0) <= short.completionTokens, 'reasoning is part of the completion')
      const long = await usageOf(service, ask(`${prompt}\n${prompt}`, steady))
      assert.ok(long.promptTokens > short.promptTokens, 'a longer prompt must have more tokens')
    },
  },
]

const usageOf = async <Request>(service: Streaming<Request, Piece>, request: Request) => {
  const { usage } = await collect(service.stream(request, testCall()))
  return usage ?? assert.fail('no usage: skip this case where the backend cannot count')
}

const limitCases = <Request>(ask: Ask<Request>): ConformanceCase<Streaming<Request, Piece>>[] => [
  {
    name: 'maxTokens bounds the answer',
    async run(service, facts) {
      for (const maxTokens of [1, 5]) {
        const { choices, usage } = await collect(
          service.stream(ask(promptsOf(facts)[0], { temperature: 0, maxTokens }), testCall()),
        )
        assert.equal(choices[0]?.finish, 'length')
        assert.ok((usage?.completionTokens ?? 0) <= maxTokens, `${usage?.completionTokens} tokens, ${maxTokens} asked`)
      }
    },
  },
  {
    name: 'a higher maxTokens continues the same text',
    async run(service, facts) {
      const [prompt] = promptsOf(facts)
      const short = await answerTo(service, ask(prompt, { temperature: 0, maxTokens: 6 }))
      const long = await answerTo(service, ask(prompt, steady))
      assert.ok(long.text.length > short.text.length, 'four times as many tokens gave no longer text')
      assert.ok(
        long.text.startsWith(short.text),
        `${JSON.stringify(short.text)} does not begin ${JSON.stringify(long.text)}`,
      )
    },
  },
  {
    name: 'a maxTokens beyond the context is no error',
    inapplicable: ({ contextLength }) => (contextLength === undefined ? 'needs the fact contextLength' : undefined),
    async run(service, { contextLength = 0, ...facts }) {
      const request = ask(promptsOf(facts)[0], { ...steady, maxTokens: contextLength * 4 })
      const iterator = service.stream(request, testCall())[Symbol.asyncIterator]()
      const first = await outcomeWithin(iterator.next(), 60_000)
      assert.ok('value' in first && !first.value.done, `no answer: ${JSON.stringify(first)}`)
      await iterator.return?.()
    },
  },
  {
    name: 'a prompt over the context is refused with context_exceeded',
    inapplicable: ({ contextLength }) => (contextLength === undefined ? 'needs the fact contextLength' : undefined),
    async run(service, { contextLength = 0 }) {
      const prompt = 'word '.repeat(contextLength + 16)
      const { details } = await rejectsWith(answerTo(service, ask(prompt, steady)), 'context_exceeded')
      assert.ok(Number(details['tokens']) > contextLength, 'details.tokens must be the length of the prompt')
    },
  },
]

const samplingCases = <Request>(ask: Ask<Request>): ConformanceCase<Streaming<Request, Piece>>[] => [
  {
    name: 'the same seed gives the same text',
    async run(service, facts) {
      const request = ask(promptsOf(facts)[0], { temperature: 1, seed: 42, maxTokens: 16 })
      assert.equal((await answerTo(service, request)).text, (await answerTo(service, request)).text)
    },
  },
  {
    name: 'every sampling parameter is taken',
    async run(service, facts) {
      const sampling = {
        temperature: 0.7,
        topP: 0.9,
        topK: 40,
        minP: 0.05,
        frequencyPenalty: 0.5,
        presencePenalty: -0.5,
        logitBias: { 5: -10 },
        seed: 1,
      }
      const outcome = await outcomeWithin(
        answerTo(service, ask(promptsOf(facts)[0], { ...sampling, maxTokens: 4 })),
        60_000,
      )
      assert.ok('value' in outcome, `the request was not answered: ${JSON.stringify(outcome)}`)
    },
  },
  {
    name: 'a bias on a token outside the vocabulary is ignored',
    async run(service, facts) {
      const [prompt] = promptsOf(facts)
      const plain = await answerTo(service, ask(prompt, steady))
      const outcome = await outcomeWithin(
        answerTo(service, ask(prompt, { ...steady, logitBias: { 2147483647: 100 } })),
        60_000,
      )
      assert.ok('value' in outcome, 'the request was not answered')
      assert.equal(outcome.value.text, plain.text)
    },
  },
]
