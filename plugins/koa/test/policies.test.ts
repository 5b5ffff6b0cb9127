/** Policies that the operator binds to keys, models and routes. */

import { expect } from 'chai'
import { createApp } from '../src/index.js'
import { testKernel } from './support/kernel.js'
import type { TestModel } from './support/kernel.js'
import { recorder } from './support/models.js'
import { withServer } from './support/server.js'

const secret = 'pin 1234'

const detector = (word: string) => ({
  inspect: ({ text }: { text: string }) =>
    Promise.resolve({
      findings: [],
      score: text.includes(word) ? 1 : 0,
      explanation: '',
      detector: 'test',
      latency: 0,
    }),
})

const models: TestModel[] = [
  recorder().model,
  { id: 'finder', services: { injection: detector('1234'), toxicity: detector('noted') } },
]

const policies = {
  inwards: { input: { injection: true } },
  outwards: { output: { toxicity: true } },
}

const chat = { model: 'recorder', messages: [{ role: 'user', content: secret }] }
const completion = { model: 'recorder', prompt: secret }

describe('a policy', () => {
  const cases: {
    name: string
    bound: string | undefined
    path: string
    routes?: Record<string, string>
    error?: string
  }[] = [
    { name: 'binds nobody whom the operator did not name', bound: undefined, path: '/chat/completions' },
    {
      name: 'of a key holds for its requests',
      bound: 'inwards',
      path: '/chat/completions',
      error: 'prompt injection detected',
    },
    {
      name: 'of a route holds there',
      bound: undefined,
      path: '/chat/completions',
      routes: { '/chat/completions': 'inwards' },
      error: 'prompt injection detected',
    },
    {
      name: 'of a route holds under /v1',
      bound: undefined,
      path: '/v1/chat/completions',
      routes: { '/chat/completions': 'inwards' },
      error: 'prompt injection detected',
    },
    {
      name: 'of another route does not',
      bound: undefined,
      path: '/chat/completions',
      routes: { '/completions': 'inwards' },
    },
    {
      name: 'of a route stands beside that of a key',
      bound: 'inwards',
      path: '/chat/completions',
      routes: { '/chat/completions': 'outwards' },
      error: 'prompt injection detected',
    },
    {
      name: 'of a route checks answers',
      bound: undefined,
      path: '/chat/completions',
      routes: { '/chat/completions': 'outwards' },
      error: 'failed toxicity check',
    },
    {
      name: 'that is gone lets nothing pass',
      bound: 'gone',
      path: '/chat/completions',
      error: 'safeguard unavailable: policy gone',
    },
  ]
  for (const { name, bound, path, routes = {}, error } of cases)
    it(name, async () => {
      const kernel = await testKernel(models, { policies })
      await withServer(kernel, { policies: routes }, async ({ keys, post }) => {
        const { key } = keys.create({ name: 'bound', ...(bound === undefined ? {} : { policy: bound }) })
        const response = await post(path, path.includes('chat') ? chat : completion, { authorization: `Bearer ${key}` })
        const text = await response.text()
        if (error === undefined) expect(response.status, text).to.equal(200)
        else expect(text).to.contain(error)
      })
    })

  const wrong: [string, Record<string, string>, string][] = [
    [
      'a path that is none',
      { '/chat/completion': 'inwards' },
      'no route has this path: did you mean "/chat/completions"?',
    ],
    [
      'a path whose answers no policy looks at',
      { '/toxicity': 'inwards' },
      'the answers of this route do not pass the safeguards; those of /chat/completions, /completions',
    ],
    ['a policy that is none', { '/rerank': 'inward' }, 'no policy is called "inward": did you mean "inwards"?'],
  ]
  for (const [name, routes, problem] of wrong)
    it(`is refused for ${name}`, async () => {
      const kernel = await testKernel(models, { policies })
      expect(() => createApp(kernel, { auth: false, policies: routes })).to.throw(problem)
    })
})
