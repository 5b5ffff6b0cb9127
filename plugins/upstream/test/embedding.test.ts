import { expect } from 'chai'
import { testCall } from '@sallyport/testing'
import { errorOf } from '@sallyport/stand-ins/errors'
import { json, refusal } from './support/answers.js'
import { loadModel } from './support/models.js'
import { serveEachTest, StandIn } from './support/stand-in.js'
import type { Answer } from './support/stand-in.js'

const server = new StandIn()

const load = (options: object = {}) =>
  loadModel({ url: server.url, capabilities: ['embedding'], retries: { count: 0 }, ...options })

describe('embedding', () => {
  serveEachTest(server)

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

  it('refuses images, and dimensions that the server ignores', async () => {
    server.will(json(vectors([1, 0, 0])))
    await errorOf(embed({ inputs: [{ image: new Uint8Array(1), mediaType: 'image/png' }] }), 'unsupported')
    await errorOf(embed({ dimensions: 2 }), 'unsupported')
    expect((await embed({ dimensions: 3 })).vectors[0]).to.have.length(3)
  })

  it('tells an input that is too long from one that cannot be cut', async () => {
    server.will(refusal(400, { type: 'exceed_context_size_error', n_prompt_tokens: 600, n_ctx: 512, message: 'x' }))
    await errorOf(embed({}), 'context_exceeded')
    await errorOf(embed({ truncate: 'right' }), 'unsupported')
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
      await errorOf(embed({ inputs: [{ text: 'a' }, { text: 'b' }] }), 'upstream_failed')
    })

  it('takes a body over the limit, or one that is no JSON, for a failure', async () => {
    server.will(json(vectors(Array.from({ length: 10_000 }, () => 0.1))))
    await errorOf(embed({}, { limits: { body: 0.01 } }), 'upstream_failed')
    server.will((response) => response.end('<html>'))
    await errorOf(embed({}), 'upstream_failed')
  })
})
