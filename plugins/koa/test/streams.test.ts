/** Streams, byte for byte. */

import { failure } from '@sallyport/core'
import type { ChatChunk } from '@sallyport/core'
import { expect } from 'chai'
import { testKernel } from './support/kernel.js'
import type { TestModel } from './support/kernel.js'
import { play, player, repeater, speaker, toolbox } from './support/models.js'
import { serverFor, withServer } from './support/server.js'

const usage = { promptTokens: 5, cachedTokens: 2, completionTokens: 3 }

const call: ChatChunk[] = [
  { reasoning: 'hm' },
  { toolCall: { index: 0, id: 'c1', name: 'f', arguments: '' } },
  { toolCall: { index: 0, arguments: '{"a":1}' } },
  { finish: 'tool_calls', usage },
]

/** Says another letter in the second choice. */
const double: TestModel = {
  id: 'double',
  services: {
    chat: {
      stream: ({ seed }, options) =>
        play([{ delta: seed ? 'b' : 'a' }, { finish: seed ? 'stop' : 'length', usage }], options),
    },
  },
}

const withLogprobs: ChatChunk[] = [
  { delta: 'é', logprobs: [{ token: 'é', logprob: -0.5, top: [{ token: 'e', logprob: -1 }] }] },
  { finish: 'stop' },
]

const models = [
  speaker,
  repeater,
  player('caller', call),
  double,
  player('sure', withLogprobs),
  player('long', [{ delta: 'x'.repeat(60_000) }, { finish: 'stop' }]),
  player('empty', [{ finish: 'stop' }]),
  {
    id: 'failing',
    services: {
      chat: {
        stream: async function* () {
          await Promise.resolve()
          yield { delta: 'so far' }
          throw failure('safeguard_unavailable', { name: 'pii' })
        },
      },
    },
  },
  {
    id: 'broken',
    services: {
      chat: {
        stream: async function* () {
          await Promise.resolve()
          yield { delta: 'so far' }
          throw new Error('secret of a library at /usr/lib')
        },
      },
    },
  },
  {
    id: 'blocked',
    services: {
      chat: {
        stream: async function* () {
          await Promise.resolve()
          throw failure('content_blocked', { message: 'pii detected' })
        },
      },
    },
  },
]

const wireUsage =
  '"usage":{"prompt_tokens":5,"completion_tokens":3,"total_tokens":8,' +
  '"prompt_tokens_details":{"audio_tokens":0,"cached_tokens":2},' +
  '"completion_tokens_details":{"reasoning_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0,"audio_tokens":0}}'

/** Id and time put in the place of letters. */
const settled = (text: string): string =>
  text
    .replace(/"id":"(chat|cmpl)-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}"/g, '"id":"$1-ID"')
    .replace(/"created":\d{10}/g, '"created":NOW')

const chatEvent = (model: string, rest: string) =>
  `data: {"id":"chat-ID","object":"chat.completion.chunk","created":NOW,"model":"${model}",${rest}}\n\n`
const textEvent = (model: string, rest: string) =>
  `data: {"id":"cmpl-ID","object":"text_completion","created":NOW,"model":"${model}",${rest}}\n\n`
const done = 'data: [DONE]\n\n'

interface Chunk {
  readonly choices: readonly [{ readonly delta: { readonly content?: unknown } }]
}

/** But for the error that ends a stream. */
const chunksOf = (text: string): Chunk[] =>
  text
    .split('\n\n')
    .filter((line) => line && line !== done.trim() && !line.startsWith('data: {"error"'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Chunk)

describe('streams', () => {
  const server = serverFor(() => testKernel(models))

  const stream = async (path: string, body: object) => {
    const answer = await server.post(path, { stream: true, ...body })
    const text = await answer.text()
    return { answer, text, events: settled(text) }
  }
  const chat = (prefix: string, model: string, fields: object = {}) =>
    stream(`${prefix}/chat/completions`, { model, messages: 'hi', ...fields })

  it('puts the role on the first delta and the whole text on the last chunk', async () => {
    const { answer, text, events } = await chat('', 'speaker', { stream_options: { include_usage: true } })
    expect(answer.headers.get('content-type')).to.equal('text/event-stream')
    expect(events).to.equal(
      chatEvent(
        'speaker',
        '"choices":[{"index":0,"delta":{"role":"assistant","content":"Hello"},"finish_reason":null,"generated_text":null}]',
      ) +
        chatEvent(
          'speaker',
          '"choices":[{"index":0,"delta":{"content":" world"},"finish_reason":null,"generated_text":null}]',
        ) +
        chatEvent(
          'speaker',
          `"choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop","generated_text":"Hello world"}],${wireUsage}`,
        ) +
        done,
    )
    expect(new Set(text.match(/"id":"[^"]+"/g)).size).to.equal(1)
  })

  it('begins with the role alone under /v1, and ends with the usage', async () => {
    const { events } = await chat('/v1', 'speaker', { stream_options: { include_usage: true } })
    expect(events).to.equal(
      chatEvent('speaker', '"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]') +
        chatEvent('speaker', '"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]') +
        chatEvent('speaker', '"choices":[{"index":0,"delta":{"content":" world"},"finish_reason":null}]') +
        chatEvent('speaker', '"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]') +
        chatEvent('speaker', `"choices":[],${wireUsage}`) +
        done,
    )
  })

  it('tells no usage that nobody asked for', async () => {
    expect((await chat('', 'speaker')).events).not.to.contain('usage')
    expect((await chat('/v1', 'speaker')).events).not.to.contain('usage')
  })

  it('streams reasoning and tool calls', async () => {
    const tools = { tools: { type: 'function', function: { name: 'f' } } }
    const opening = '{"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":""}}'
    const rest = '{"index":0,"function":{"arguments":"{\\"a\\":1}"}}'
    const piece = (delta: string) =>
      chatEvent('caller', `"choices":[{"index":0,"delta":{${delta}},"finish_reason":null,"generated_text":null}]`)
    expect((await chat('', 'caller', tools)).events).to.equal(
      piece('"role":"assistant","content":"","reasoning":"hm"') +
        piece(`"content":"","tool_calls":[${opening}]`) +
        piece(`"content":"","tool_calls":[${rest}]`) +
        chatEvent(
          'caller',
          '"choices":[{"index":0,"delta":{"content":""},"finish_reason":"tool_calls","generated_text":""}]',
        ) +
        done,
    )
    const openAiPiece = (delta: string) =>
      chatEvent('caller', `"choices":[{"index":0,"delta":{${delta}},"finish_reason":null}]`)
    expect((await chat('/v1', 'caller', tools)).events).to.equal(
      openAiPiece('"role":"assistant","content":""') +
        openAiPiece('"reasoning":"hm"') +
        openAiPiece(`"tool_calls":[${opening}]`) +
        openAiPiece(`"tool_calls":[${rest}]`) +
        chatEvent('caller', '"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]') +
        done,
    )
  })

  it('keeps choices apart and counts the prompt once', async () => {
    const { events } = await chat('', 'double', { n: 2, seed: 0, stream_options: { include_usage: true } })
    for (const piece of [
      '"index":1,"delta":{"role":"assistant","content":"b"}',
      '"index":0,"delta":{"role":"assistant","content":"a"}',
      '"index":1,"delta":{"content":""},"finish_reason":"stop","generated_text":"b"',
      '"index":0,"delta":{"content":""},"finish_reason":"length","generated_text":"a"',
    ])
      expect(events).to.contain(piece)
    const lines = events.split('\n\n')
    expect(lines[3]).to.contain('"prompt_tokens":5,"completion_tokens":6,"total_tokens":11')
    expect(lines.filter((line) => line.includes('usage'))).to.have.length(1)
  })

  it('adds log-probabilities to the pieces', async () => {
    const logprobs =
      '"logprobs":{"content":[{"token":"é","logprob":-0.5,"bytes":[195,169],' +
      '"top_logprobs":[{"token":"e","logprob":-1,"bytes":[101]}]}]}'
    expect((await chat('/v1', 'sure', { logprobs: true, top_logprobs: 1 })).events).to.contain(
      `"delta":{"content":"é"},"finish_reason":null,${logprobs}`,
    )
  })

  it('leaves the whole text out where the line would be too long', async () => {
    const lines = (await chat('', 'long')).events.split('\n\n')
    expect(lines[1]).to.match(/"choices":\[\{"index":0,"delta":\{"content":""\},"finish_reason":"stop"\}\]\}$/)
  })

  it('streams an answer without text', async () => {
    expect((await chat('', 'empty')).events).to.equal(
      chatEvent(
        'empty',
        '"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"stop","generated_text":""}]',
      ) + done,
    )
  })

  it('has a text in every delta outside /v1, for clients drop chunks without one', async () => {
    const asked: readonly [model: string, fields: object][] = [
      ['speaker', { stream_options: { include_usage: true } }],
      ['caller', { tools: { type: 'function', function: { name: 'f' } } }],
      ['double', { n: 2 }],
      ['sure', { logprobs: true }],
      ['long', {}],
      ['empty', {}],
      ['failing', {}],
    ]
    for (const [model, fields] of asked)
      for (const chunk of chunksOf((await chat('', model, fields)).text))
        expect(chunk.choices[0].delta.content, model).to.be.a('string')
  })

  it('ends with the error and without [DONE] when it fails midway', async () => {
    const first = chatEvent(
      'failing',
      '"choices":[{"index":0,"delta":{"role":"assistant","content":"so far"},"finish_reason":null,"generated_text":null}]',
    )
    expect((await chat('', 'failing')).events).to.equal(`${first}data: {"error":"safeguard unavailable: pii"}\n\n`)
    expect((await chat('/v1', 'failing')).events).to.match(
      /data: \{"error":\{"message":"safeguard unavailable: pii","type":"server_error","code":"safeguard_unavailable","param":null\}\}\n\n$/,
    )
  })

  it('says nothing of a library in mid-stream', async () => {
    const { answer, text } = await chat('', 'broken')
    expect(text).not.to.contain('secret')
    expect(text).to.contain(`under request ${answer.headers.get('x-request-id') ?? ''}"}`)
  })

  it('answers what fails before the first byte with a status', async () => {
    const { answer, text } = await chat('', 'blocked')
    expect(answer.status).to.equal(400)
    expect(text).to.equal('{"error":"pii detected"}')
    const v1 = await chat('/v1', 'blocked')
    expect(v1.answer.status).to.equal(400)
    expect(v1.text).to.equal(
      '{"error":{"message":"pii detected","type":"invalid_request_error","code":"content_filter","param":null}}',
    )
  })

  it('says in a header what the safeguards decided', async () => {
    const replace = { pii: { action: 'replace' } } as const
    const policies = { default: { input: replace, output: { ...replace, toxicity: { mode: 'shadow' } } } } as const
    await withServer(await testKernel([speaker, toolbox], { policies }), {}, async ({ post }) => {
      for (const stream of [true, false]) {
        const asked = { 'x-safeguards-receipt': 'true' }
        const answer = await post('/chat/completions', { model: 'speaker', messages: 'Ann', stream }, asked)
        // A check that holds nothing back is not decided when the first event leaves.
        const decided = stream ? 'pii=replace' : 'pii=replace,toxicity=shadow-block'
        expect(answer.headers.get('x-safeguards')).to.equal(decided)
        expect(await answer.text()).to.match(/"check":"toxicity","stage":"output","verdict":"block","mode":"shadow"/)
      }
    })
    expect((await chat('', 'speaker')).answer.headers.get('x-safeguards')).to.equal(null)
  })

  it('streams completions of several prompts', async () => {
    const body = { model: 'repeater', prompt: ['a', 'b'], stream_options: { include_usage: true } }
    const piece = (index: number, text: string, finish: string) =>
      `"choices":[{"index":${index},"text":"${text}","finish_reason":${finish},"stop_reason":null}]`
    const total = wireUsage
      .replace(
        '"prompt_tokens":5,"completion_tokens":3,"total_tokens":8',
        '"prompt_tokens":2,"completion_tokens":2,"total_tokens":4',
      )
      .replace('"cached_tokens":2', '"cached_tokens":0')
    const events = (await stream('/completions', body)).events.split(/(?<=\n\n)/)
    // Prompts run side by side: only the end has its place.
    expect(events.map((event) => event.replace(`,${total}`, ''))).to.have.members([
      textEvent('repeater', piece(0, '<a>', 'null')),
      textEvent('repeater', piece(1, '<b>', 'null')),
      textEvent('repeater', piece(0, '', '"stop"')),
      textEvent('repeater', piece(1, '', '"stop"')),
      done,
    ])
    expect(events.map((event) => event.includes(total))).to.deep.equal([false, false, false, true, false])
    const v1 = (await stream('/v1/completions', body)).events.split(/(?<=\n\n)/)
    expect(v1.slice(4)).to.deep.equal([textEvent('repeater', `"choices":[],${total}`), done])
  })
})
