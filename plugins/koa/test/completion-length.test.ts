/** Completions of requests that say nothing of their length. */

import type { CompletionRequest } from '@sallyport/core'
import { expect } from 'chai'
import type { ServerOptionsInput } from '../src/index.js'
import { testKernel } from './support/kernel.js'
import type { TestModel } from './support/kernel.js'
import { withServer } from './support/server.js'

const lengthsAsked: (number | undefined)[] = []

const model: TestModel = {
  id: 'm',
  services: {
    completion: {
      stream: async function* ({ maxTokens }: CompletionRequest) {
        await Promise.resolve()
        lengthsAsked.push(maxTokens)
        yield { finish: 'stop' }
      },
    },
    chat: {
      stream: async function* ({ maxTokens }: { maxTokens?: number }) {
        await Promise.resolve()
        lengthsAsked.push(maxTokens)
        yield { finish: 'stop' }
      },
    },
  },
}

describe('a completion without max_tokens', () => {
  const cases: [name: string, path: string, options: ServerOptionsInput, fields: object, length?: number][] = [
    ['has 256 tokens', '/completions', {}, {}, 256],
    ['has 16 tokens under /v1', '/v1/completions', {}, {}, 16],
    ['may have null in its place', '/v1/completions', {}, { max_tokens: null }, 16],
    ['has as many as the operator says', '/completions', { completions: { maxTokens: 9 } }, {}, 9],
    ['has as many as the operator says under /v1', '/v1/completions', { completions: { v1MaxTokens: 7 } }, {}, 7],
    ['is another thing than one with it', '/completions', {}, { max_tokens: 300 }, 300],
    ['is another thing than a chat', '/chat/completions', {}, { prompt: undefined, messages: 'hi' }],
  ]
  for (const [name, path, options, fields, length] of cases)
    it(name, async () => {
      await withServer(await testKernel([model]), options, async ({ post }) => {
        for (const stream of [false, true]) {
          lengthsAsked.length = 0
          const answer = await post(path, { model: 'm', prompt: 'hi', stream, ...fields })
          expect(answer.status, await answer.text()).to.equal(200)
          expect(lengthsAsked).to.deep.equal([length])
        }
      })
    })
})
