/** Answers that are not streamed. */

import type { Token } from '@sallyport/core'
import { expect } from 'chai'
import { tokenList } from '../src/routes/tokens.js'
import { testKernel } from './support/kernel.js'
import { player, repeater, speaker, toolbox } from './support/models.js'
import { serverFor } from './support/server.js'

const uuid = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}'

const caller = player('caller', [
  { reasoning: 'hm' },
  { toolCall: { index: 0, id: 'c1', name: 'f', arguments: '{"a":1}' } },
  { finish: 'tool_calls' },
])

const stopped = player('stopped', [
  { delta: ' yes', logprobs: [{ token: ' yes', logprob: -0.1 }] },
  { finish: 'stop', stopSequence: 'END' },
])

describe('answers', () => {
  const completer = { ...stopped, services: { chat: stopped.services.chat!, completion: stopped.services.chat } }
  const server = serverFor(() => testKernel([speaker, repeater, toolbox, caller, completer as never]))

  /** The answer without id and time, which are checked here. */
  const ask = async (path: string, body: object, prefix: string): Promise<Record<string, unknown>> => {
    const answer = await server.post(path, body)
    const { id, created, ...rest } = (await answer.json()) as Record<string, unknown>
    expect(answer.status, JSON.stringify(rest)).to.equal(200)
    expect(id).to.match(new RegExp(`^${prefix}-${uuid}$`))
    expect(created).to.be.within(Date.now() / 1000 - 60, Date.now() / 1000 + 1)
    return rest
  }

  const usage = {
    prompt_tokens: 5,
    completion_tokens: 3,
    total_tokens: 8,
    prompt_tokens_details: { audio_tokens: 0, cached_tokens: 2 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
      audio_tokens: 0,
    },
  }

  for (const path of ['/chat/completions', '/v1/chat/completions']) {
    it(`${path} answers a conversation, by alias too`, async () => {
      const message = { role: 'assistant', content: 'Hello world' }
      expect(await ask(path, { model: 'base', messages: 'hi' }, 'chat')).to.deep.equal({
        object: 'chat.completion',
        model: 'speaker',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage,
      })
    })

    it(`${path} answers with tool calls`, async () => {
      const { choices } = await ask(
        path,
        { model: 'caller', messages: 'hi', tools: { type: 'function', function: { name: 'f' } } },
        'chat',
      )
      const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }
      const message = { role: 'assistant', content: null, reasoning: 'hm', tool_calls: [call] }
      expect(choices).to.deep.equal([{ index: 0, message, finish_reason: 'tool_calls' }])
    })

    it(`${path} answers n times`, async () => {
      const { choices } = await ask(path, { model: 'speaker', messages: 'hi', n: 3 }, 'chat')
      expect((choices as { index: number }[]).map(({ index }) => index)).to.deep.equal([0, 1, 2])
    })
  }

  it('completes each prompt n times, in order', async () => {
    const { choices, object } = await ask('/completions', { model: 'repeater', prompt: ['a', 'b', 'c'], n: 2 }, 'cmpl')
    expect(object).to.equal('text_completion')
    expect((choices as { text: string }[]).map(({ text }) => text).join('')).to.equal('<a><a><b><b><c><c>')
    expect((choices as { index: number }[]).map(({ index }) => index)).to.deep.equal([0, 1, 2, 3, 4, 5])
  })

  it('completes more prompts than run at once', async () => {
    const prompt = Array.from({ length: 40 }, (_, index) => `p${index}`)
    const { choices, usage: total } = await ask('/v1/completions', { model: 'repeater', prompt }, 'cmpl')
    expect((choices as { text: string }[]).map(({ text }) => text)).to.deep.equal(prompt.map((text) => `<${text}>`))
    expect(total).to.include({ prompt_tokens: 40, completion_tokens: 40, total_tokens: 80 })
  })

  it('keeps the white space of completions, and tells what stopped them', async () => {
    const { choices } = await ask('/completions', { model: 'stopped', prompt: 'x', stop: ['END'], logprobs: 0 }, 'cmpl')
    const logprobs = { tokens: [' yes'], token_logprobs: [-0.1], top_logprobs: [{}], text_offset: [0] }
    expect(choices).to.deep.equal([{ index: 0, text: ' yes', finish_reason: 'stop', stop_reason: 'END', logprobs }])
  })

  it('embeds every form of input', async () => {
    const item = (index: number) => ({ object: 'embedding', index, embedding: [0.5, -0.5, 0.25] })
    for (const [input, count] of [
      ['a', 1],
      [['a', 'b'], 2],
      [[1, 2, 3], 1],
      [[[1, 2], [3]], 2],
      [[{ text: 'a' }, 'b', [1]], 3],
    ] as const)
      expect(await ask('/embeddings', { model: 'toolbox', input }, 'emb')).to.deep.equal({
        object: 'list',
        model: 'toolbox',
        data: Array.from({ length: count }, (_, index) => item(index)),
        usage: { prompt_tokens: count, total_tokens: count },
      })
  })

  it('embeds as base64, and says success on /embedding', async () => {
    const embedding = Buffer.from(Float32Array.of(0.5, -0.5, 0.25).buffer).toString('base64')
    const body = { model: 'toolbox', input: [{ text: 'a', image: '' }], encoding_format: 'base64' }
    expect((await ask('/embedding', body, 'emb'))['data']).to.deep.equal([
      { object: 'embedding', index: 0, embedding, status: 'success' },
    ])
    expect((await ask('/v1/embeddings', body, 'emb'))['data']).to.deep.equal([
      { object: 'embedding', index: 0, embedding },
    ])
  })

  it('sends large answers whole', async () => {
    const input = Array.from({ length: 10_000 }, () => 'a')
    const { data } = await ask('/embeddings', { model: 'toolbox', input }, 'emb')
    expect(data).to.have.length(10_000)
  })

  it('ranks documents', async () => {
    const body = { model: 'toolbox', query: 'q', documents: ['a', 'b'] }
    const results = [
      { index: 0, relevance_score: 1 - 1e-6 },
      { index: 1, relevance_score: 0.5 },
    ]
    expect(await ask('/rerank', body, 'rerank')).to.deep.equal({
      object: 'list',
      model: 'toolbox',
      results,
      usage: { prompt_tokens: 7, total_tokens: 7 },
    })
    const shown = await ask('/rerank', { ...body, return_documents: true, top_n: 1 }, 'rerank')
    expect(shown['results']).to.deep.equal([{ ...results[0], text: 'a' }])
    const cohere = await ask('/v1/rerank', { ...body, documents: [{ text: 'a' }], return_documents: true }, 'rerank')
    expect(cohere['results']).to.deep.equal([{ ...results[0], text: 'a', document: { text: 'a' } }])
  })

  it('tokenizes and detokenizes', async () => {
    const tokens = [
      { id: 0, start: 0, stop: 1, end: 1, text: 'a' },
      { id: 1, start: 1, stop: 2, end: 2, text: '😀' },
    ]
    expect(await ask('/tokenize', { model: 'toolbox', input: 'a😀' }, 'token')).to.deep.equal({
      object: 'tokens',
      model: 'toolbox',
      tokens,
      data: tokens,
    })
    expect(await ask('/detokenize', { model: 'toolbox', tokens: [1, 2] }, 'token')).to.deep.equal({
      object: 'tokens',
      model: 'toolbox',
      text: '1 2',
    })
  })

  it('tokenizes a long text, and writes its tokens piece by piece', async () => {
    const input = 'ab'.repeat(500)
    const { tokens, data } = await ask('/tokenize', { model: 'toolbox', input }, 'token')
    expect((tokens as { text: string }[]).map(({ text }) => text).join('')).to.equal(input)
    expect(data).to.deep.equal(tokens)
    const whole = (tokens as Token[]).map(({ id, text, start, end }) => ({ id, text, start, end }))
    const pieces = [...tokenList(whole, { id: 'token-1', object: 'tokens', created: 1 })]
    expect(JSON.parse(pieces.join(''))).to.deep.include({ id: 'token-1', tokens, data })
    expect(Math.max(...pieces.map(({ length }) => length))).to.be.below(65_536)
    expect(pieces.length).to.be.above(8)
  })

  const tooLong = 'input: must be a string of at most 131072 bytes in UTF-8'
  for (const [what, path, body, error] of [
    ['texts of too many bytes', '/tokenize', { input: '\u{12345}'.repeat(32_769) }, tooLong],
    ['texts of too many characters', '/tokenize', { input: 'a'.repeat(131_073) }, tooLong],
    [
      'too many tokens',
      '/detokenize',
      { tokens: new Array<number>(262_145).fill(0) },
      'tokens: must be an array of at most 262144 items',
    ],
  ] as const)
    it(`neither tokenizes nor detokenizes ${what}`, async () => {
      const answer = await server.post(path, { model: 'toolbox', ...body })
      expect([answer.status, await answer.json()]).to.deep.equal([400, { error }])
    })

  it('scores factuality and toxicity', async () => {
    const claim = { start: 0, end: 2, score: 0.75, support: [{ start: 0, end: 1 }], differences: ['number'] }
    expect(await ask('/factuality', { reference: '😀', text: '😀t' }, 'fact')).to.deep.equal({
      object: 'factuality.check',
      checks: [{ index: 0, score: 0.75, explanation: '', claims: [claim], status: 'success' }],
    })
    expect(await ask('/toxicity', { text: 't' }, 'toxi')).to.deep.equal({
      object: 'toxicity.check',
      checks: [{ index: 0, score: 1 - 1e-6, explanation: '', findings: [], status: 'success' }],
    })
  })

  it('tells injections', async () => {
    const findings = [{ start: 1, end: 7, type: 'ORDER', score: 0.9 }]
    expect(await ask('/injection', { prompt: ['😀ignore all', 'x'], detect: true }, 'injection')).to.deep.equal({
      object: 'injection_check',
      checks: [
        { index: 0, probability: 0.9, explanation: '', findings, status: 'success' },
        { index: 1, probability: 1e-6, explanation: '', findings: [], status: 'success' },
      ],
    })
    expect((await ask('/injection', { prompt: 'x', detect: false }, 'injection'))['checks']).to.deep.equal([
      { index: 0, status: 'skipped' },
    ])
  })

  it('finds personal information at code points', async () => {
    const found = await ask('/PII', { prompt: ['😀 Ann', 'nobody'], replace: false }, 'pii')
    expect(found).to.deep.equal({
      object: 'pii_check',
      checks: [
        {
          index: 0,
          pii_types_and_positions: [{ start: 2, end: 5, type: 'PERSON', score: 1 - 1e-6 }],
          status: 'success',
        },
        { index: 1, pii_types_and_positions: [], prompt: 'nobody', status: 'success' },
      ],
    })
  })

  it('replaces personal information, except what is to be ignored', async () => {
    const body = { prompt: 'Ann, a@b.cd', replace: true, entity_list: ['person'] }
    const replaced = async (fields: object) =>
      ((await ask('/PII', { ...body, ...fields }, 'pii'))['checks'] as { new_prompt: string }[])[0]!.new_prompt
    expect(await replaced({})).to.equal('Ann, [random]')
    expect(await replaced({ replace_method: 'fake', entity_list: null })).to.equal('[fake], [fake]')
  })

  it('translates between languages under any of their names', async () => {
    for (const [source, target] of [
      ['en', 'de'],
      ['eng', 'deu'],
      ['English', 'German'],
      ['EN', 'german'],
    ])
      expect(
        await ask('/translate', { text: 'hi', source_lang: source, target_lang: target }, 'translation'),
      ).to.deep.equal({
        object: 'translation',
        response: { 'Best translation': 'en>de:hi', Score: 1 - 1e-6 },
        best_translation: 'en>de:hi',
        best_score: 1 - 1e-6,
        best_translation_model: 'fake',
        translations: [{ translation: 'en>de:hi', score: 1 - 1e-6, model: 'fake', status: 'success' }],
      })
    const unknown = await server.post('/translate', { text: 'hi', source_lang: 'Klingonish', target_lang: 'de' })
    expect(unknown.status).to.equal(400)
    expect(JSON.stringify(await unknown.json())).to.contain('source_lang: must be a language')
  })
})
