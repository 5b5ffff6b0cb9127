import { expect } from 'chai'
import { testCall } from '@sallyport/core/conformance'
import { json, refusal, stream } from './support/answers.js'
import { collectPieces, failureOf, loadModel, stopModels } from './support/models.js'
import { StandIn } from './support/stand-in.js'
import type { Answer } from './support/stand-in.js'

let server: StandIn

beforeEach(async () => {
  server = await StandIn.listen()
})

afterEach(async () => {
  await stopModels()
  await server.close()
})

const load = (options: object = {}) =>
  loadModel({
    url: server.url,
    capabilities: ['completion', 'embedding', 'rerank', 'tokens'],
    retries: { count: 0 },
    ...options,
  })

describe('completion', () => {
  const text = (words: string, rest: object = {}) => ({
    choices: [{ index: 0, text: words, finish_reason: null, ...rest }],
  })

  it('asks and answers in OpenAI’s form', async () => {
    const model = await load({ infill: true })
    const usage = { prompt_tokens: 4, completion_tokens: 2 }
    server.will(stream(text('to '), text('be'), text('', { finish_reason: 'length' }), { choices: [], usage }))
    const pieces = await collectPieces(model.complete('or not', { suffix: '!', maxTokens: 2, topLogprobs: 3 }))
    expect(pieces).to.deep.equal([
      { delta: 'to ' },
      { delta: 'be' },
      { finish: 'length', usage: { promptTokens: 4, completionTokens: 2 } },
    ])
    expect(server.asked[0]?.path).to.equal('/v1/completions')
    expect(server.body).to.deep.equal({
      model: 'big-model',
      prompt: 'or not',
      suffix: '!',
      max_tokens: 2,
      logprobs: 3,
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  it('with a suffix is refused where the operator does not say that the model fills gaps', async () => {
    const model = await load()
    server.will(stream(text('a', { finish_reason: 'stop' })))
    await failureOf(collectPieces(model.complete('a', { suffix: 'b' })), 'unsupported')
    expect(server.asked).to.have.length(0)
  })

  it('reads log-probabilities in the older form and in that of chat', async () => {
    const model = await load()
    const older = { tokens: ['a', 'b'], token_logprobs: [null, -1], top_logprobs: [null, { b: -1, c: -0.5, d: -3 }] }
    const newer = { content: [{ token: 'b', logprob: 1e-9, bytes: [98], top_logprobs: [] }] }
    server.will(stream(text('ab', { logprobs: older }), text('b', { logprobs: newer, finish_reason: 'stop' })))
    expect(await collectPieces(model.complete('x', { topLogprobs: 2 }))).to.deep.equal([
      {
        delta: 'ab',
        logprobs: [
          {
            token: 'b',
            logprob: -1,
            top: [
              { token: 'c', logprob: -0.5 },
              { token: 'b', logprob: -1 },
            ],
          },
        ],
      },
      { delta: 'b', logprobs: [{ token: 'b', logprob: 0, bytes: [98] }] },
      { finish: 'stop' },
    ])
  })
})

describe('embedding', () => {
  const base64 = (...values: number[]) => Buffer.from(Float32Array.from(values).buffer).toString('base64')
  const vectors = (...embeddings: unknown[]) => ({
    data: embeddings.map((embedding, index) => ({ index, embedding })),
    usage: { prompt_tokens: 3 },
  })
  const embed = async (request: object, options: object = {}) =>
    (await load(options)).embedding.embed({ inputs: [{ text: 'a' }], ...request }, testCall())

  it('reads base64 and lists, by their index, and gives them unit length', async () => {
    const data = [
      { index: 1, embedding: base64(0, 2) },
      { index: 0, embedding: [3, 4] },
    ]
    server.will(json({ data, usage: { prompt_tokens: 3 } }))
    const result = await embed({ inputs: [{ text: 'a' }, { text: 'b' }] })
    expect(result.promptTokens).to.equal(3)
    expect(result.vectors.map((vector) => [...vector].map((value) => value.toFixed(3)))).to.deep.equal([
      ['0.600', '0.800'],
      ['0.000', '1.000'],
    ])
    expect(server.body).to.deep.equal({ model: 'big-model', input: ['a', 'b'], encoding_format: 'base64' })
  })

  it('asks in batches, texts apart from tokens, and keeps the order', async () => {
    const numbered: Answer = (response, asked) => {
      const input = asked.body.input as (string | number[])[]
      const value = (item: string | number[]) => (typeof item === 'string' ? item.length : item[0]!)
      return json(vectors(...input.map((item) => [value(item), 1])))(response, asked)
    }
    server.will(numbered)
    const inputs = [
      { text: 'a' },
      { text: 'bb' },
      { text: 'ccc' },
      { tokens: [4, 5] },
      { tokens: [5] },
      { text: 'ffffff' },
    ]
    const result = await embed({ inputs }, { embedding: { batch: 2 } })
    expect(server.asked.map(({ body }) => body.input)).to.deep.equal([['a', 'bb'], ['ccc'], [[4, 5], [5]], ['ffffff']])
    expect(result.vectors.map(([x = 0, y = 1]) => Math.round(x / y))).to.deep.equal([1, 2, 3, 4, 5, 6])
    expect(result.promptTokens).to.equal(12)
  })

  it('puts prefixes before queries and documents', async () => {
    server.will(json(vectors([1])))
    const embedding = { queryPrefix: 'query: ', documentPrefix: 'passage: ' }
    for (const [inputType, text] of [
      ['query', 'query: a'],
      ['document', 'passage: a'],
      [undefined, 'a'],
    ] as const) {
      await embed(inputType ? { inputType } : {}, { embedding })
      expect(server.body.input).to.deep.equal([text])
    }
  })

  it('asks for lists where the server knows no base64', async () => {
    const answer: Answer = (response, asked) =>
      (asked.body.encoding_format === undefined
        ? json(vectors([1, 0]))
        : refusal(400, { message: 'Unsupported parameter: encoding_format' }))(response, asked)
    server.will(answer)
    expect((await embed({})).vectors).to.have.length(1)
  })

  it('refuses pictures, and dimensions that the server ignores', async () => {
    server.will(json(vectors([1, 0, 0])))
    await failureOf(embed({ inputs: [{ image: new Uint8Array(1), mediaType: 'image/png' }] }), 'unsupported')
    await failureOf(embed({ dimensions: 2 }), 'unsupported')
    expect((await embed({ dimensions: 3 })).vectors[0]).to.have.length(3)
  })

  it('tells an input that is too long from one that cannot be cut', async () => {
    server.will(refusal(400, { type: 'exceed_context_size_error', n_prompt_tokens: 600, n_ctx: 512, message: 'x' }))
    await failureOf(embed({}), 'context_exceeded')
    await failureOf(embed({ truncate: 'right' }), 'unsupported')
  })

  for (const [name, answer] of Object.entries({
    'too few vectors': { data: [] },
    'the same index twice': {
      data: [
        { index: 0, embedding: [1] },
        { index: 0, embedding: [1] },
      ],
    },
    'vectors of different lengths': vectors([1], [1, 2]),
    'text among the numbers': vectors(['1'], [1]),
    'no vector': vectors(null, null),
    'base64 that is cut off': vectors('AAA=', 'AAA='),
    'a list': [],
    'numbers that are none': vectors(base64(Number.NaN), base64(1)),
  }))
    it(`takes ${name} for a failure`, async () => {
      server.will(json(answer))
      await failureOf(embed({ inputs: [{ text: 'a' }, { text: 'b' }] }), 'upstream_failed')
    })

  it('takes a body over the limit, or one that is no JSON, for a failure', async () => {
    server.will(json(vectors(Array.from({ length: 10_000 }, () => 0.1))))
    await failureOf(embed({}, { limits: { body: 0.01 } }), 'upstream_failed')
    server.will((response) => response.end('<html>'))
    await failureOf(embed({}), 'upstream_failed')
  })
})

describe('rerank', () => {
  const rank = async (results: object[], options: object = {}, topN?: number) => {
    server.will(json({ results, usage: { total_tokens: 9 } }))
    const model = await load({ rerank: options })
    const documents = ['a', 'b', 'c']
    return model.rerank.rerank({ query: 'q', documents, ...(topN ? { topN } : {}) }, testCall())
  }
  const scores = (...values: number[]) => values.map((relevance_score, index) => ({ index, relevance_score }))

  it('sorts by score, ties in the order of the request', async () => {
    const { ranking, promptTokens } = await rank(scores(0.2, 0.9, 0.2))
    expect(ranking).to.deep.equal([
      { index: 1, score: 0.9 },
      { index: 0, score: 0.2 },
      { index: 2, score: 0.2 },
    ])
    expect(promptTokens).to.equal(9)
    expect(server.body).to.deep.include({ query: 'q', documents: ['a', 'b', 'c'], top_n: 3 })
    expect((await rank(scores(0.2, 0.9, 0.2), {}, 1)).ranking).to.have.length(1)
  })

  it('turns logits into probabilities', async () => {
    const logits = scores(-8, 0, 3)
    const { ranking } = await rank(logits)
    expect(ranking.map(({ index }) => index)).to.deep.equal([2, 1, 0])
    expect(ranking[1]?.score).to.equal(0.5)
    expect((await rank(scores(0.5, 0.1, 0), { scores: 'logit' })).ranking.at(-1)?.score).to.equal(0.5)
    expect((await rank(logits, { scores: 'probability' })).ranking[0]?.score).to.equal(1)
  })

  it('takes rankings that do not fit for a failure', async () => {
    await failureOf(rank(scores(0.1)), 'upstream_failed')
    await failureOf(rank(scores(0.1, 0.2, 0.3, 0.4)), 'upstream_failed')
    await failureOf(rank([{ index: 0 }, { index: 1 }, { index: 2 }]), 'upstream_failed')
  })
})

describe('tokens', () => {
  const tokenize = async (text: string, tokens: unknown) => {
    server.will(json({ tokens }))
    return (await (await load()).tokens.tokenize({ text }, testCall())).tokens
  }

  it('are asked for beside /v1', async () => {
    expect(
      await tokenize('Hi you', [
        { id: 5, piece: 'Hi' },
        { id: 6, piece: ' you' },
      ]),
    ).to.deep.equal([
      { id: 5, text: 'Hi', start: 0, end: 2 },
      { id: 6, text: ' you', start: 2, end: 6 },
    ])
    expect(server.asked[0]?.path).to.equal('/tokenize')
    expect(server.body).to.include({ content: 'Hi you', with_pieces: true, parse_special: false })
  })

  it('that are parts of a character span it, in code points', async () => {
    const [first, second, third] = ['a', [0xf0, 0x9f], [0x98, 0x80]]
    expect(
      await tokenize(
        'a😀',
        [first, second, third].map((piece, id) => ({ id, piece })),
      ),
    ).to.deep.equal([
      { id: 0, text: 'a', start: 0, end: 1 },
      { id: 1, text: '\ufffd', start: 1, end: 2 },
      { id: 2, text: '\ufffd\ufffd', start: 1, end: 2 },
    ])
  })

  it('are placed where the vocabulary adds a space', async () => {
    const pieces = [' He', 'llo'].map((piece, id) => ({ id, piece }))
    expect((await tokenize('Hello', pieces)).map(({ start, end }) => [start, end])).to.deep.equal([
      [0, 2],
      [2, 5],
    ])
  })

  it('are placed where the vocabulary has lower case and marks', async () => {
    const pieces = ['[CLS]', ' über', 'mut', ' gut', '[SEP]'].map((piece, id) => ({ id, piece }))
    expect((await tokenize('Übermut  tut GUT', pieces)).map(({ start, end }) => [start, end])).to.deep.equal([
      [0, 0],
      [0, 4],
      [4, 7],
      [13, 16],
      [16, 16],
    ])
  })

  it('become text again', async () => {
    server.will(json({ content: 'Hi' }))
    expect(await (await load()).tokens.detokenize({ tokens: [5] }, testCall())).to.deep.equal({ text: 'Hi' })
    expect(server.asked[0]?.path).to.equal('/detokenize')
    server.will(json({}))
    await failureOf((await load()).tokens.detokenize({ tokens: [5] }, testCall()), 'upstream_failed')
  })

  it('without ids are a failure', async () => {
    await failureOf(tokenize('a', [{ piece: 'a' }]), 'upstream_failed')
  })
})
