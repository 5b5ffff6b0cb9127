/** Refusals name fields as the caller wrote them. */

import { failure } from '@sallyport/core'
import { expect } from 'chai'
import { wirePath } from '../src/body/wire-path.js'
import { chatFields } from '../src/routes/chat/request.js'
import { testKernel } from './support/kernel.js'
import type { TestModel } from './support/kernel.js'
import { speaker, toolbox } from './support/models.js'
import { serverFor } from './support/server.js'

/** Refuses a field under its own name for it, once it has begun where it is asked to. */
const refusing: TestModel = {
  id: 'refusing',
  services: {
    chat: {
      stream: async function* ({ messages }) {
        await Promise.resolve()
        if (messages.length > 1) yield { delta: 'so far' }
        throw failure('unsupported', { field: 'responseFormat.schema', problem: 'is too much' })
      },
    },
  },
}

const calling = (id: string) => ({
  role: 'assistant',
  tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }],
})

const identifier = 'must be an identifier: 1 to 128 letters, digits or any of . : / _ -'

describe('fields in refusals of the kernel', () => {
  const policies = { default: { input: { injection: {} } } }
  const server = serverFor(() => testKernel([speaker, toolbox, refusing], { policies }))

  const cases: { name: string; path: string; body: object; field: string; problem: string }[] = [
    {
      name: 'the id of a tool call',
      path: '/chat/completions',
      body: { model: 'speaker', messages: [{ role: 'user', content: 'hi' }, calling('two words')] },
      field: 'messages[1].tool_calls[0].id',
      problem: identifier,
    },
    {
      name: 'the id of a tool message',
      path: '/chat/completions',
      body: { model: 'speaker', stream: true, messages: [{ role: 'tool', content: 'x', tool_call_id: 'two words' }] },
      field: 'messages[0].tool_call_id',
      problem: identifier,
    },
    {
      name: 'token ids',
      path: '/embeddings',
      body: { model: 'toolbox', input: [1, 2] },
      field: 'input',
      problem: 'token ids cannot be checked by the safeguards: send text',
    },
    {
      name: 'what a backend refuses',
      path: '/chat/completions',
      body: { model: 'refusing', messages: 'hi' },
      field: 'response_format.json_schema.schema',
      problem: 'is too much',
    },
  ]
  for (const { name, path, body, field, problem } of cases)
    it(`are the body's: ${name}`, async () => {
      const answer = await server.post(path, body)
      expect(answer.status).to.equal(400)
      expect(await answer.json()).to.deep.equal({ error: `${field}: ${problem}` })
      const v1 = (await (await server.post(`/v1${path}`, body)).json()) as { error: object }
      expect(v1.error).to.include({ message: `${field}: ${problem}`, param: field })
    })

  it("are the body's in mid-stream, too", async () => {
    const messages = ['a', 'b'].map((content) => ({ role: 'user', content }))
    const answer = await server.post('/chat/completions', { model: 'refusing', stream: true, messages })
    expect(await answer.text()).to.contain('data: {"error":"response_format.json_schema.schema: is too much"}')
  })

  const paths: { kernel: string; body: Record<string, unknown>; wire: string }[] = [
    { kernel: 'messages[0].content', body: { messages: 'hi' }, wire: 'messages' },
    {
      kernel: 'messages[0].content[1].text',
      body: { messages: [{ content: ['a', 'b'] }] },
      wire: 'messages[0].content[1]',
    },
    {
      kernel: 'messages[0].content[1].image',
      body: { messages: [{ content: ['a', { image_url: { url: 'x' } }] }] },
      wire: 'messages[0].content[1].image_url.url',
    },
    {
      kernel: 'messages[0].content[0].image',
      body: { messages: [{ content: [{ image_url: 'x' }] }] },
      wire: 'messages[0].content[0].image_url',
    },
    { kernel: 'stop[0]', body: { stop: 'x' }, wire: 'stop' },
    { kernel: 'tools[0].parameters.a', body: { tools: { function: {} } }, wire: 'tools.function.parameters.a' },
    { kernel: 'topLogprobs', body: {}, wire: 'top_logprobs' },
    { kernel: 'constructor', body: {}, wire: 'constructor' },
  ]
  for (const { kernel, body, wire } of paths)
    it(`turn ${kernel} into ${wire}`, () => {
      expect(wirePath(kernel, chatFields(body), body)).to.equal(wire)
    })
})
