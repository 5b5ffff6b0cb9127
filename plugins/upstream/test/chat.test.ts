import { expect } from 'chai'
import type { ChatRequest } from '@sallyport/core'
import { chunk, counts, ends, hello, says, stream, streamed } from './support/answers.js'
import { answerOf, collectPieces, failureOf, loadModel, stopModels } from './support/models.js'
import { StandIn } from './support/stand-in.js'

let server: StandIn

beforeEach(async () => {
  server = await StandIn.listen()
})

afterEach(async () => {
  await stopModels()
  await server.close()
})

const png = new Uint8Array([137, 80, 78, 71])

describe('a chat request', () => {
  const sent = async (request: Partial<ChatRequest>, options: object = {}) => {
    const model = await loadModel({ url: server.will(hello).url, ...options })
    await collectPieces(model.chat(request))
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

  it('carries a conversation with tools, pictures and reasoning', async () => {
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
    await failureOf(collectPieces(model.chat(request)), 'invalid_request')
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
    const model = await loadModel({ url: server.will(hello).url, features: { image: false, tools: false } })
    const picture = [{ type: 'image' as const, image: png, mediaType: 'image/png' }]
    await failureOf(collectPieces(model.chat({ messages: [{ role: 'user', content: picture }] })), 'unsupported')
    await failureOf(collectPieces(model.chat({ tools: [{ name: 'a' }], toolChoice: 'required' })), 'unsupported')
    expect(server.asked).to.have.length(0)
  })
})

describe('a chat answer', () => {
  const answerTo = async (values: object[], request: Partial<ChatRequest> = {}) => {
    const model = await loadModel({ url: server.will(stream(...values)).url })
    return answerOf(model.chat(request))
  }

  it('comes in pieces, with the usage last', async () => {
    const { pieces } = await answerTo([
      chunk({ role: 'assistant', content: '' }),
      says('Hel'),
      says('lo'),
      ends('length'),
      counts(5, 2, {
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 1 },
      }),
    ])
    expect(pieces).to.deep.equal([
      { delta: 'Hel' },
      { delta: 'lo' },
      { finish: 'length', usage: { promptTokens: 5, completionTokens: 2, cachedTokens: 4, reasoningTokens: 1 } },
    ])
  })

  it('has no usage where the server reports none', async () => {
    expect((await answerTo([says('a'), ends()])).last).to.deep.equal({ finish: 'stop' })
  })

  for (const [name, chunks, usage] of [
    ['in the last chunk', [ends(), { usage: { prompt_tokens: 3, completion_tokens: 1 } }], [3, 1, undefined]],
    ['beside the finish', [{ ...ends(), usage: { prompt_tokens: 3, completion_tokens: 1 } }], [3, 1, undefined]],
    [
      'with DeepSeek’s cache',
      [ends(), counts(9, 1, { prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 1 })],
      [9, 1, 8],
    ],
    [
      'in Groq’s place',
      [{ ...ends(), x_groq: { usage: { prompt_tokens: 3, completion_tokens: 1 } } }],
      [3, 1, undefined],
    ],
    ['in llama-server’s timings', [{ ...ends(), timings: { prompt_n: 3, cache_n: 6, predicted_n: 1 } }], [9, 1, 6]],
  ] as const)
    it(`has the usage ${name}`, async () => {
      const { last } = await answerTo([says('a'), ...chunks])
      const [promptTokens, completionTokens, cachedTokens] = usage
      expect(last).to.deep.equal({
        finish: 'stop',
        usage: { promptTokens, completionTokens, ...(cachedTokens === undefined ? {} : { cachedTokens }) },
      })
    })

  it('has reasoning under either name, and refusals as text', async () => {
    const { pieces } = await answerTo([
      chunk({ reasoning_content: 'a' }),
      chunk({ reasoning: 'b' }),
      chunk({ refusal: 'No.' }),
      ends(),
    ])
    expect(pieces.slice(0, 3)).to.deep.equal([{ reasoning: 'a' }, { reasoning: 'b' }, { delta: 'No.' }])
  })

  it('has log-probabilities when asked for, those of half characters with the whole one', async () => {
    const logprob = (token: string, ...others: string[]) => ({
      logprobs: {
        content: [
          {
            token,
            logprob: -0.5,
            bytes: [1],
            top_logprobs: others.map((other, index) => ({ token: other, logprob: index - 3, bytes: null })),
          },
        ],
      },
    })
    const values = [
      chunk({ content: '' }, logprob('half')),
      chunk({ content: 'é' }, logprob('rest', 'x', 'y', 'z')),
      ends(),
    ]
    expect((await answerTo(values, { topLogprobs: 2 })).pieces[0]).to.deep.equal({
      delta: 'é',
      logprobs: [
        { token: 'half', logprob: -0.5, bytes: [1] },
        {
          token: 'rest',
          logprob: -0.5,
          bytes: [1],
          top: [
            { token: 'z', logprob: -1 },
            { token: 'y', logprob: -2 },
          ],
        },
      ],
    })
    expect((await answerTo(values)).pieces[0]).to.deep.equal({ delta: 'é' })
  })

  it('names the stop text where the server does', async () => {
    const values = [says('a'), chunk({}, { finish_reason: 'stop', stop_reason: 'END' })]
    expect((await answerTo(values, { stop: ['END'] })).last).to.deep.equal({ finish: 'stop', stopText: 'END' })
    expect((await answerTo(values)).last).to.deep.equal({ finish: 'stop' })
  })

  for (const [given, finish] of [
    ['content_filter', 'content_filter'],
    ['function_call', 'tool_calls'],
    ['model_length', 'length'],
    ['eos_token', 'stop'],
  ])
    it(`that finished with "${given}" finished with "${finish}"`, async () => {
      expect((await answerTo([says('a'), ends(given)])).last).to.deep.equal({ finish })
    })

  it('of other choices is left out', async () => {
    const other = { choices: [{ index: 1, delta: { content: 'b' } }] }
    expect((await answerTo([says('a'), other, ends()])).text).to.equal('a')
  })

  it('ends with [DONE] even without a reason, and with a reason even without [DONE]', async () => {
    expect((await answerTo([says('a')])).last).to.deep.equal({ finish: 'stop' })
    const model = await loadModel({ url: server.url })
    for (const end of ['\n\n', '\n', '']) {
      server.will(streamed(`data: ${JSON.stringify(says('a'))}\n\ndata: ${JSON.stringify(ends())}${end}`))
      expect(await collectPieces(model.chat())).to.deep.equal([{ delta: 'a' }, { finish: 'stop' }])
    }
  })
})
