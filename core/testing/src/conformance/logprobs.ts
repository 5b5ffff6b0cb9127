/** Log-probabilities: one entry per token, joined they are the text. */

import assert from 'node:assert/strict'
import type { TokenLogprob } from '@sallyport/core'
import type { ConformanceCase } from './case.js'
import { answerTo, promptsOf, steady } from './generation.js'
import type { Ask, Piece } from './generation.js'
import type { Streaming } from './stream-cases.js'

export const logprobCases = <Request>(ask: Ask<Request>): ConformanceCase<Streaming<Request, Piece>>[] => [
  {
    name: 'log-probabilities are those of the text’s tokens',
    async run(service, facts) {
      const { text, logprobs = [] } = await answerTo(service, ask(promptsOf(facts)[0], { ...steady, topLogprobs: 2 }))
      assert.ok(logprobs.length > 0, 'none came')
      assert.equal(Buffer.concat(logprobs.map(bytesOf)).toString().trimStart(), text.trimStart())
    },
  },
  {
    name: 'log-probabilities are at most 0, and the alternatives best first',
    async run(service, facts) {
      const { logprobs = [] } = await answerTo(service, ask(promptsOf(facts)[0], { ...steady, topLogprobs: 2 }))
      assert.ok(logprobs.length > 0, 'none came')
      for (const { logprob, top = [] } of logprobs) {
        assert.ok(logprob <= 0, `${logprob} is no logarithm of a probability`)
        assert.ok(top.length >= 1 && top.length <= 2, `${top.length} alternatives came, 2 were asked for`)
        assert.ok(top.every((alternative) => alternative.logprob <= 0))
        assert.ok((top[0]?.logprob ?? 0) >= (top[1]?.logprob ?? -Infinity), 'the alternatives are not best first')
      }
    },
  },
  {
    name: 'log-probabilities come only when asked for',
    async run(service, facts) {
      const { logprobs } = await answerTo(service, ask(promptsOf(facts)[0], steady))
      assert.equal(logprobs, undefined)
    },
  },
]

const bytesOf = ({ token, bytes }: TokenLogprob) => (bytes ? Buffer.from(bytes) : Buffer.from(token))
