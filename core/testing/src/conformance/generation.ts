/** Cases for chat and completion: the shape of streams, limits, sampling, and log-probabilities. */

import assert from 'node:assert/strict'
import type { ChatChoice, ChatChunk, GenerationOptions, TokenLogprob } from '@sallyport/core'
import { collect } from '@sallyport/kit/generation'
import { cases, needs } from './case.js'
import type { ConformanceCase } from './case.js'
import { defaultPrompts } from './facts.js'
import type { ModelFacts } from './facts.js'
import { assertWellFormed, collectChunks, assertPresent, rejectsWith, testCall, valueUnless } from './support.js'
import { streamCases } from './stream-cases.js'
import type { Streamer } from './stream-cases.js'

/** Chunks of completion are a subset of those of chat. */
export type Chunk = ChatChunk

/** Makes a request from a prompt. */
export type RequestOf<Request> = (prompt: string, options: GenerationOptions) => Request

/** Options for greedy decoding, whose answers are deterministic and long enough to compare. */
export const greedy = { temperature: 0, maxTokens: 24 } as const

export const promptsOf = ({ prompts }: ModelFacts) => prompts ?? defaultPrompts

export const deltasOf = (chunks: readonly object[]): string[] =>
  chunks.flatMap((chunk) => ('delta' in chunk && typeof chunk.delta === 'string' && chunk.delta ? [chunk.delta] : []))

/** The answer to a request as one choice. */
export const answerTo = async <Request>(service: Streamer<Request, Chunk>, request: Request): Promise<ChatChoice> => {
  const { choices } = await collect(service.stream(request, testCall()))
  assert.equal(choices.length, 1, `the stream had ${choices.length} choices`)
  return assertPresent(choices[0], 'the choice')
}

type Cases<Request> = ConformanceCase<Streamer<Request, Chunk>>[]

export const generationCases = <Request>(requestOf: RequestOf<Request>): Cases<Request> => [
  ...streamCases<Request, Chunk>({
    request: (facts, which) => requestOf(promptsOf(facts)[which], greedy),
    summary: (chunks) => ({
      text: deltasOf(chunks).join(''),
      finish: chunks.flatMap((chunk) => ('finish' in chunk ? [chunk.finish] : [])),
    }),
  }),
  ...shapeCases(requestOf),
  ...limitCases(requestOf),
  ...samplingCases(requestOf),
  ...logprobCases(requestOf),
]

const shapeCases = <Request>(requestOf: RequestOf<Request>): Cases<Request> =>
  cases<Streamer<Request, Chunk>>({
    'text comes first, then one finish and nothing after it': async (service, facts) => {
      const chunks = await collectChunks(service.stream(requestOf(promptsOf(facts)[0], greedy), testCall()))
      assert.ok(deltasOf(chunks).length > 0, 'no text came')
      assert.equal(chunks.filter((chunk) => 'finish' in chunk).length, 1, 'there must be one finish')
      assert.ok('finish' in assertPresent(chunks.at(-1), 'the last chunk'), 'something came after the finish')
      assert.ok(
        chunks.every(({ choice = 0 }) => choice === 0),
        'a request for one choice got another one',
      )
    },
    'characters of several code units arrive whole': async (service) => {
      const prompt = 'Repeat exactly: 👩‍👩‍👧‍👦 🏳️‍🌈 naïve café e\u0301te\u0301 日本語 שלום 🇩🇪 𝒳'
      const deltas = deltasOf(await collectChunks(service.stream(requestOf(prompt, greedy), testCall())))
      for (const delta of deltas) assertWellFormed(delta)
      assert.ok(!deltas.join('').includes('\uFFFD'), 'the text holds U+FFFD: a character was cut')
    },
    'a lone surrogate in the prompt is answered or refused': async (service) => {
      const request = requestOf('Repeat exactly: left \uD83D right \uDC00 end', greedy)
      const answer = await valueUnless(answerTo(service, request), 'invalid_request', 'unsupported')
      if (answer) assertWellFormed(answer.text)
    },
    'usage counts the prompt and what was generated': async (service, facts) => {
      const [prompt] = promptsOf(facts)
      const short = await usageOf(service, requestOf(prompt, greedy))
      assert.ok(short.promptTokens > 0 && short.completionTokens > 0, 'no token was counted')
      assert.ok(short.completionTokens <= greedy.maxTokens, 'more tokens were counted than were allowed')
      assert.ok((short.cachedTokens ?? 0) <= short.promptTokens, 'more tokens were cached than there are')
      assert.ok((short.reasoningTokens ?? 0) <= short.completionTokens, 'reasoning is part of the completion')
      const long = await usageOf(service, requestOf(`${prompt}\n${prompt}`, greedy))
      assert.ok(long.promptTokens > short.promptTokens, 'a longer prompt must have more tokens')
    },
  })

const usageOf = async <Request>(service: Streamer<Request, Chunk>, request: Request) => {
  const { usage } = await collect(service.stream(request, testCall()))
  return usage ?? assert.fail('no usage: skip this case where the backend cannot count')
}

const limitCases = <Request>(requestOf: RequestOf<Request>): Cases<Request> => [
  ...cases<Streamer<Request, Chunk>>({
    'maxTokens bounds the answer': async (service, facts) => {
      for (const maxTokens of [1, 5]) {
        const { choices, usage } = await collect(
          service.stream(requestOf(promptsOf(facts)[0], { temperature: 0, maxTokens }), testCall()),
        )
        assert.equal(choices[0]?.finish, 'length')
        assert.ok((usage?.completionTokens ?? 0) <= maxTokens, `${usage?.completionTokens} tokens, ${maxTokens} asked`)
      }
    },
    'a higher maxTokens continues the same text': async (service, facts) => {
      const [prompt] = promptsOf(facts)
      const short = await answerTo(service, requestOf(prompt, { temperature: 0, maxTokens: 6 }))
      const long = await answerTo(service, requestOf(prompt, greedy))
      assert.ok(long.text.length > short.text.length, 'four times as many tokens did not make a longer text')
      assert.ok(
        long.text.startsWith(short.text),
        `${JSON.stringify(short.text)} does not begin ${JSON.stringify(long.text)}`,
      )
    },
  }),
  ...cases<Streamer<Request, Chunk>>(
    {
      'a maxTokens beyond the context is no error': async (service, { contextLength = 0, ...facts }) => {
        const request = requestOf(promptsOf(facts)[0], { ...greedy, maxTokens: contextLength * 4 })
        const iterator = service.stream(request, testCall())[Symbol.asyncIterator]()
        assert.ok(!(await iterator.next()).done, 'no answer came')
        await iterator.return?.()
      },
      'a prompt over the context is refused with context_exceeded': async (service, { contextLength = 0 }) => {
        const prompt = 'word '.repeat(contextLength + 16)
        const { details } = await rejectsWith(answerTo(service, requestOf(prompt, greedy)), 'context_exceeded')
        assert.ok(Number(details['tokens']) > contextLength, 'details.tokens must be the length of the prompt')
      },
    },
    needs('contextLength'),
  ),
]

const samplingCases = <Request>(requestOf: RequestOf<Request>): Cases<Request> =>
  cases<Streamer<Request, Chunk>>({
    'the same seed gives the same text': async (service, facts) => {
      const request = requestOf(promptsOf(facts)[0], { temperature: 1, seed: 42, maxTokens: 16 })
      assert.equal((await answerTo(service, request)).text, (await answerTo(service, request)).text)
    },
    'every sampling parameter is taken': async (service, facts) => {
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
      await answerTo(service, requestOf(promptsOf(facts)[0], { ...sampling, maxTokens: 4 }))
    },
    'a bias on a token outside the vocabulary is ignored': async (service, facts) => {
      const [prompt] = promptsOf(facts)
      const plain = await answerTo(service, requestOf(prompt, greedy))
      const biased = await answerTo(service, requestOf(prompt, { ...greedy, logitBias: { 2147483647: 100 } }))
      assert.equal(biased.text, plain.text)
    },
  })

const twoLogprobs = { ...greedy, topLogprobs: 2 }

/** There is one log-probability per token; the tokens, joined, are the text. */
const logprobCases = <Request>(requestOf: RequestOf<Request>): Cases<Request> =>
  cases<Streamer<Request, Chunk>>({
    'log-probabilities are those of the text’s tokens': async (service, facts) => {
      const { text, logprobs = [] } = await answerTo(service, requestOf(promptsOf(facts)[0], twoLogprobs))
      assert.ok(logprobs.length > 0, 'none came')
      assert.equal(Buffer.concat(logprobs.map(tokenBytes)).toString().trimStart(), text.trimStart())
    },
    'log-probabilities are at most 0, and the alternatives best first': async (service, facts) => {
      const { logprobs = [] } = await answerTo(service, requestOf(promptsOf(facts)[0], twoLogprobs))
      assert.ok(logprobs.length > 0, 'none came')
      for (const { logprob, top = [] } of logprobs) {
        assert.ok(logprob <= 0, `${logprob} is not the logarithm of a probability`)
        assert.ok(top.length >= 1 && top.length <= 2, `${top.length} alternatives came, 2 were asked for`)
        assert.ok(top.every((alternative) => alternative.logprob <= 0))
        assert.ok((top[0]?.logprob ?? 0) >= (top[1]?.logprob ?? -Infinity), 'the alternatives are not best first')
      }
    },
    'log-probabilities come only when asked for': async (service, facts) => {
      const { logprobs } = await answerTo(service, requestOf(promptsOf(facts)[0], greedy))
      assert.equal(logprobs, undefined)
    },
  })

const tokenBytes = ({ token, bytes }: TokenLogprob) => (bytes ? Buffer.from(bytes) : Buffer.from(token))
