import { expect } from 'chai'
import type { ChatRequest } from '@sallyport/core'
import { hello } from './support/answers.js'
import { collectChunks, loadModel } from './support/models.js'
import { serveEachTest, StandIn } from './support/stand-in.js'

const server = new StandIn()

const png = new Uint8Array([137, 80, 78, 71])

describe('a chat request', () => {
  serveEachTest(server)

  const sent = async (request: Partial<ChatRequest>, options: object = {}) => {
    const model = await server.model(hello, { ...options })
    await collectChunks(model.chat(request))
    return server.body
  }

  it('is always streamed, and asks for usage', async () => {
    expect(await sent({})).to.deep.equal({
      model: 'big-model',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      stream_options: { include_usage: true },
    })
    expect(server.asked[0]?.path).to.equal('/v1/chat/completions')
  })

  it('carries every sampling parameter', async () => {
    const body = await sent({
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      minP: 0.05,
      frequencyPenalty: 1,
      presencePenalty: -1,
      logitBias: { 7: -100 },
      seed: 3,
      maxTokens: 9,
      stop: ['END'],
      topLogprobs: 0,
      reasoningEffort: 'low',
      parallelToolCalls: false,
      tools: [{ name: 'weather', parameters: { type: 'object' } }],
    })
    expect(body).to.include({
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      min_p: 0.05,
      frequency_penalty: 1,
      presence_penalty: -1,
      seed: 3,
      max_tokens: 9,
      logprobs: true,
      top_logprobs: 1,
      reasoning_effort: 'low',
      parallel_tool_calls: false,
    })
    expect(body.logit_bias).to.deep.equal({ 7: -100 })
    expect(body.stop).to.deep.equal(['END'])
  })

  it('carries a conversation with tools, images and reasoning', async () => {
    const { messages } = await sent({
      messages: [
        { role: 'system', content: 'Be terse.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', image: png, mediaType: 'image/png', detail: 'low' },
          ],
        },
        {
          role: 'assistant',
          content: '',
          reasoning: 'hm',
          toolCalls: [{ id: 'call_1', name: 'look', arguments: '{"x":1}' }],
        },
        { role: 'tool', content: 'a cat', toolCallId: 'call_1' },
      ],
    })
    expect(messages).to.deep.equal([
      { role: 'system', content: 'Be terse.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==', detail: 'low' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'hm',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"x":1}' } }],
      },
      { role: 'tool', content: 'a cat', tool_call_id: 'call_1' },
    ])
  })

  it('offers tools, and turns a choice of names into the only tools, one of which is required', async () => {
    const tools = [{ name: 'weather', description: 'Tells it.', parameters: {}, strict: true }, { name: 'time' }]
    expect(await sent({ tools, toolChoice: 'none' })).to.deep.include({
      tool_choice: 'none',
      tools: tools.map((tool) => ({ type: 'function', function: tool })),
    })
    expect(await sent({ tools, toolChoice: { names: ['time'] } })).to.deep.include({
      tool_choice: 'required',
      tools: [{ type: 'function', function: { name: 'time' } }],
    })
  })

  it('refuses names that no tool has', async () => {
    const model = await loadModel({ url: server.url })
    const request: Partial<ChatRequest> = { tools: [{ name: 'time' }], toolChoice: { names: ['space'] } }
    await model.failure('invalid_request', request)
  })

  it('carries the format of the answer', async () => {
    expect(await sent({ responseFormat: { type: 'text' } })).not.to.have.property('response_format')
    expect((await sent({ responseFormat: { type: 'json_object' } })).response_format).to.deep.equal({
      type: 'json_object',
    })
    const schema = { type: 'object' }
    expect(
      (await sent({ responseFormat: { type: 'json_schema', schema, strict: true } })).response_format,
    ).to.deep.equal({ type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } })
  })

  it('asks llama-server for an object in its own way', async () => {
    server.listing = { data: [{ id: 'file.gguf', owned_by: 'llamacpp' }] }
    expect((await sent({ responseFormat: { type: 'json_object' } })).response_format).to.deep.equal({
      type: 'json_object',
      schema: { type: 'object' },
    })
    const options = { kind: 'openai' }
    expect((await sent({ responseFormat: { type: 'json_object' } }, options)).response_format).to.deep.equal({
      type: 'json_object',
    })
  })

  it('has the upstream name of the model, the key, the headers and the operator’s fields', async () => {
    const body = await sent(
      { temperature: 1 },
      {
        model: 'vendor/huge',
        apiKey: 'sk-1',
        headers: { 'X-Team': 'a' },
        body: { temperature: 0, cache_prompt: true, model: 'other' },
      },
    )
    expect(body).to.include({ model: 'vendor/huge', temperature: 1, cache_prompt: true })
    expect(server.asked[0]?.headers).to.include({
      authorization: 'Bearer sk-1',
      'x-team': 'a',
      'accept-encoding': 'identity',
    })
  })

  it('replaces lone surrogates, and nothing else', async () => {
    const content = 'a\ud83d b \\ud83d c \\\\ \ud83d\ude00'
    const { messages } = await sent({ messages: [{ role: 'user', content }] })
    expect(messages).to.deep.equal([{ role: 'user', content: 'a\ufffd b \\ud83d c \\\\ \ud83d\ude00' }])
  })

  it('is refused without asking where the operator says that the model cannot', async () => {
    const model = await server.model(hello, { features: { image: false, tools: false } })
    const image = [{ type: 'image' as const, image: png, mediaType: 'image/png' }]
    await model.failure('unsupported', { messages: [{ role: 'user', content: image }] })
    await model.failure('unsupported', { tools: [{ name: 'a' }], toolChoice: 'required' })
    expect(server.asked).to.have.length(0)
  })
})
