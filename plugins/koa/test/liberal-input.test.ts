/** What must be accepted, and what the kernel then gets. */

import type { ChatRequest } from '@sallyport/core'
import { expect } from 'chai'
import { testKernel } from './support/kernel.js'
import { recorder, speaker, toolbox } from './support/models.js'
import { serverFor } from './support/server.js'

const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1')
const jpeg = Buffer.from('\xff\xd8\xff\xe0rest', 'latin1')
const webp = Buffer.from('RIFF\0\0\0\0WEBPrest', 'latin1')
const gif = Buffer.from('GIF89arest', 'latin1')

const weather = {
  name: 'weather',
  parameters: { type: 'object', properties: { city: { default: null } } },
  strict: true,
}

describe('liberal input', () => {
  const seen = recorder({ image: true })
  const server = serverFor(() => testKernel([seen.model, speaker, toolbox]))

  let verdicts: string | null = null
  const ask = async (fields: object, path = '/chat/completions'): Promise<ChatRequest> => {
    const answer = await server.post(path, { model: 'recorder', messages: 'hi', ...fields })
    expect(answer.status, await answer.text()).to.equal(200)
    verdicts = answer.headers.get('x-safeguards')
    return seen.requests.at(-1)!
  }

  const plain = { messages: [{ role: 'user', content: 'hi' }] }

  it('takes null for absent, at any depth', async () => {
    const nulls = { temperature: null, stop: null, tools: null, stream_options: { include_usage: null }, n: null }
    expect(await ask({ ...nulls, input: { pii: null, entity_list: null }, output: null })).to.deep.equal(plain)
    expect(verdicts).to.equal(null)
  })

  it('takes an empty string for absent in the enumerated safeguards', async () => {
    await ask({ input: { pii: '', pii_replace_method: '' } })
    expect(verdicts).to.equal(null)
  })

  it('leaves null inside a JSON Schema', async () => {
    const { tools } = await ask({ tools: [{ type: 'function', function: weather }] })
    expect(tools).to.deep.equal([weather])
  })

  it('ignores fields that it does not know', async () => {
    const unknown = {
      user: 'u',
      store: true,
      metadata: { a: 1 },
      options: {},
      use_third_party_engine: false,
      echo: null,
      input_type: 'x',
      output_format: 'x',
      safety_identifier: 'x',
      guided_json: {},
      inputs_seen: 1,
    }
    expect(await ask({ ...unknown, constructor: { prototype: {} } })).to.deep.equal(plain)
  })

  it('hands on every parameter', async () => {
    const request = await ask({
      temperature: 0.5,
      top_p: 0.9,
      top_k: -1,
      min_p: 0.1,
      frequency_penalty: 1,
      presence_penalty: -1,
      logit_bias: { 7: -100 },
      max_tokens: 9,
      max_completion_tokens: 8,
      stop: 'END',
      seed: 42,
      n: 1,
      logprobs: true,
      reasoning_effort: 'low',
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' }, strict: true } },
    })
    expect(request).to.deep.equal({
      ...plain,
      temperature: 0.5,
      topP: 0.9,
      topK: 0,
      minP: 0.1,
      frequencyPenalty: 1,
      presencePenalty: -1,
      logitBias: { 7: -100 },
      maxTokens: 8,
      stop: ['END'],
      seed: 42,
      topLogprobs: 0,
      reasoningEffort: 'low',
      responseFormat: { type: 'json_schema', schema: { type: 'object' }, strict: true },
    })
  })

  it('hands on what the caller asks the safeguards for', async () => {
    await ask({
      messages: 'Ann is a@b.cd',
      input: { block_prompt_injection: true, pii: 'replace', pii_replace_method: 'fake', entity_list: ['person'] },
      output: { factuality: true, toxicity: false },
    })
    expect(seen.last()).to.equal('Ann is [fake]')
    expect(verdicts).to.equal('injection=pass,pii=replace,factuality=pass')
  })

  it('reads every role', async () => {
    const { messages } = await ask({
      messages: [
        { role: 'developer', content: 'd' },
        { role: 'system', content: 's' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', name: 'f', content: [{ type: 'text', text: 't' }] },
        { role: 'function', name: 'f', content: 'u' },
      ],
    })
    expect(messages).to.deep.equal([
      { role: 'system', content: 'd' },
      { role: 'system', content: 's' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'f', arguments: '{}' }] },
      { role: 'tool', content: [{ type: 'text', text: 't' }], toolCallId: 'c1' },
      { role: 'tool', content: 'u', toolCallId: 'f' },
    ])
  })

  it('knows images by their bytes', async () => {
    const source = (bytes: Buffer, label: string) => `data:${label};base64,${bytes.toString('base64')}`
    const { messages } = await ask({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: source(png, 'image/jpeg'), detail: 'low' } },
            { type: 'image_url', image_url: source(jpeg, 'text/plain') },
            { type: 'image_url', image_url: webp.toString('base64') },
            { type: 'image_url', image_url: { url: source(gif, 'image/gif') } },
          ],
        },
      ],
    })
    const parts = messages[0]!.content as { mediaType: string; image: Uint8Array }[]
    expect(parts.map(({ mediaType }) => mediaType)).to.deep.equal([
      'image/png',
      'image/jpeg',
      'image/webp',
      'image/gif',
    ])
    expect(Buffer.from(parts[0]!.image).equals(png)).to.equal(true)
  })

  it('takes one tool as it is, and each choice', async () => {
    const tools = { type: 'function', function: { name: 'f' } }
    expect((await ask({ tools, tool_choice: 'any' })).toolChoice).to.equal('required')
    expect((await ask({ tools, tool_choice: tools })).toolChoice).to.deep.equal({ names: ['f'] })
    expect((await ask({ tools: [], tool_choice: 'auto' })).tools).to.equal(undefined)
  })

  it('offers the tools that are allowed, or has one of them called', async () => {
    const tool = (name: string) => ({ type: 'function', function: { name } })
    const choice = (mode: string) => ({
      type: 'allowed_tools',
      allowed_tools: { mode, tools: [tool('h'), tool('f')] },
    })
    const tools = ['f', 'g', 'h'].map(tool)
    const auto = await ask({ tools, tool_choice: choice('auto'), parallel_tool_calls: false })
    expect(auto).to.deep.include({
      tools: [{ name: 'f' }, { name: 'h' }],
      toolChoice: 'auto',
      parallelToolCalls: false,
    })
    const required = await ask({ tools, tool_choice: choice('required') })
    expect(required.tools).to.deep.equal(['f', 'g', 'h'].map((name) => ({ name })))
    expect(required.toolChoice).to.deep.equal({ names: ['h', 'f'] })
  })

  it('mends half surrogates, and takes NUL and a byte order mark', async () => {
    const body = '\ufeff{"model":"recorder","messages":"a\\ud800b\\u0000c \\ud83d\\ude00"}'
    expect((await server.post('/chat/completions', body)).status).to.equal(200)
    expect(seen.last()).to.equal('a\ufffdb\0c 😀')
  })

  it('takes the last of equal keys', async () => {
    await server.post('/chat/completions', '{"model":"recorder","messages":"first","messages":"last"}')
    expect(seen.last()).to.equal('last')
  })

  it('reads a body without a content type, and JSON under other names', async () => {
    const body = Buffer.from(JSON.stringify({ model: 'speaker', messages: 'hi' }))
    for (const headers of [
      {},
      { 'content-type': 'application/json; charset=UTF-8' },
      { 'content-type': 'application/vnd.x+json' },
    ])
      expect((await server.send('POST', '/chat/completions', body, headers)).status).to.equal(200)
  })

  it('streams when the body says so, whatever is accepted', async () => {
    const asked = { model: 'speaker', messages: 'hi' }
    const whole = await server.post('/chat/completions', asked, { accept: 'text/event-stream' })
    expect(whole.headers.get('content-type')).to.equal('application/json')
    const streamed = await server.post('/chat/completions', { ...asked, stream: true }, { accept: 'application/json' })
    expect(streamed.headers.get('content-type')).to.equal('text/event-stream')
    await Promise.all([whole.text(), streamed.text()])
  })

  for (const path of [
    '//chat/completions',
    '/v1//chat/completions',
    '//v1/chat/completions',
    '/chat/completions/',
    '/chat/completions?a=b',
  ])
    it(`finds ${path}`, async () => {
      expect((await server.post(path, { model: 'speaker', messages: 'hi' })).status).to.equal(200)
    })

  it('does not find a doubled slash elsewhere', async () => {
    expect((await server.post('/x//completions', {})).status).to.equal(404)
  })
})
