import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import OpenAI from 'openai'
import { patiently } from './support/patiently.js'
import { images } from './support/images.js'
import { repository } from './support/repository.js'
import { startServer } from './support/server.js'
import type { RunningServer } from './support/server.js'

const model = 'all-minilm-l6-v2'
const dimensions = 384

interface Vectors {
  id: string
  object: string
  model: string
  data: { object: string; index: number; embedding: number[]; status?: string }[]
  usage: { prompt_tokens: number; total_tokens: number }
}
interface Ranking {
  results: { index: number; relevance_score: number; text?: string; document?: { text: string } }[]
  usage?: { total_tokens: number }
}
interface Tokens {
  tokens: { id: number; start: number; stop: number; end: number; text: string }[]
  data: unknown[]
}

const similarity = (left: readonly number[], right: readonly number[]): number =>
  left.reduce((sum, value, index) => sum + value * right[index]!, 0)

describe('a server of embeddings only', function () {
  this.timeout(120_000)
  let server: RunningServer
  before(async function () {
    this.timeout(600_000)
    server = await startServer(join(repository, 'config/embedding.yaml'))
  })
  after(() => server.stop())

  const answer = async <Body>(path: string, body: object): Promise<Body> => {
    const response = await server.post(path, { model, ...body })
    const text = await response.text()
    expect(response.status, text.slice(0, 300)).to.equal(200)
    return JSON.parse(text) as Body
  }
  const embed = (body: object, path = '/embeddings') => answer<Vectors>(path, body)
  const vectorOf = async (input: unknown, more: object = {}) => (await embed({ input, ...more })).data[0]!.embedding
  const idsOf = async (input: string) => (await answer<Tokens>('/tokenize', { input })).tokens.map(({ id }) => id)

  const dialects = ['', '/v1']

  describe('gives vectors', () => {
    const forms: readonly (readonly [name: string, input: unknown, count: number])[] = [
      ['a string', 'one text', 1],
      ['a list of strings', ['one', 'two', 'three'], 3],
      ['token ids', [7592, 2088], 1],
      ['lists of token ids', [[7592], [2088, 7592]], 2],
      ['objects with texts', [{ text: 'one' }, { text: 'two' }], 2],
      ['strings beside objects and lists of ids', ['one', { text: 'two', image: null }, [7592]], 3],
    ]
    for (const prefix of dialects)
      for (const [name, input, count] of forms)
        it(`of ${name}, under ${prefix || '/'}`, async () => {
          const { id, object, data, usage, model: named } = await embed({ input }, `${prefix}/embeddings`)
          expect({ object, named }).to.deep.equal({ object: 'list', named: model })
          expect(id).to.match(/^emb-[\da-f-]{36}$/)
          expect(data.map(({ index }) => index)).to.deep.equal(Array.from({ length: count }, (_, index) => index))
          for (const { object: kind, embedding } of data) {
            expect(kind).to.equal('embedding')
            expect(embedding).to.have.length(dimensions)
            expect(similarity(embedding, embedding)).to.be.closeTo(1, 1e-5)
          }
          expect(usage.total_tokens).to.equal(usage.prompt_tokens).and.be.greaterThan(0)
        })

    it('on /embedding, where each item says that it succeeded', async () => {
      for (const prefix of dialects) {
        const { data } = await embed({ input: [{ text: 'one' }, { text: 'two' }] }, `${prefix}/embedding`)
        expect(data.map(({ status }) => status)).to.deep.equal(['success', 'success'])
      }
    })

    it('to OpenAI’s SDK, which asks for base64', async () => {
      const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.key })
      const input = ['one text', 'another']
      const { data, usage } = await client.embeddings.create({ model, input })
      const plain = await embed({ input, encoding_format: 'float' }, '/v1/embeddings')
      for (const [index, { embedding }] of data.entries())
        expect(similarity(embedding, plain.data[index]!.embedding)).to.be.closeTo(1, 1e-6)
      expect(usage.prompt_tokens).to.equal(plain.usage.prompt_tokens)
    })

    it('that are the same for a text and its token ids', async () => {
      const text = 'the quick brown fox'
      expect(similarity(await vectorOf(text), await vectorOf(await idsOf(text)))).to.be.closeTo(1, 1e-6)
    })

    it('that tell what is alike', async () => {
      const { data } = await embed({ input: ['A cat sits on the mat.', 'A kitten rests on a rug.', 'Taxes rose.'] })
      const [cat, kitten, taxes] = data.map(({ embedding }) => embedding)
      expect(similarity(cat!, kitten!)).to.be.greaterThan(similarity(cat!, taxes!) + 0.3)
    })

    it('whatever the text is for: this model has no prefixes', async () => {
      const vectors = [await vectorOf('a text', { input_type: 'query' }), await vectorOf('a text')]
      expect(similarity(vectors[0]!, vectors[1]!)).to.be.closeTo(1, 1e-5)
    })

    it('and the tokens that they took, special ones included', async () => {
      const input = ['one', 'the quick brown fox']
      const counts = await Promise.all(input.map(async (text) => (await idsOf(text)).length + 2))
      const { usage } = await embed({ input })
      expect(usage.prompt_tokens).to.equal(counts[0]! + counts[1]!)
    })
  })

  describe('cuts texts that are too long where it is told to', () => {
    const long = `${'cat '.repeat(300)}${'tax '.repeat(300)}`
    for (const field of ['truncation_direction', 'truncate_direction'])
      it(`on the side that ${field} says`, async () => {
        const start = await vectorOf('cat '.repeat(254))
        const end = await vectorOf('tax '.repeat(254))
        const right = await embed({ input: long, truncate: true, [field]: 'Right' })
        const left = await embed({ input: long, truncate: true, [field]: 'Left' })
        expect(similarity(right.data[0]!.embedding, start)).to.be.closeTo(1, 1e-4)
        expect(similarity(left.data[0]!.embedding, end)).to.be.closeTo(1, 1e-4)
        expect([right.usage.prompt_tokens, left.usage.prompt_tokens]).to.deep.equal([256, 256])
      })

    it('at their end where it is not told', async () => {
      const right = await vectorOf(long, { truncate: true, truncation_direction: 'Right' })
      expect(similarity(await vectorOf(long, { truncate: true }), right)).to.be.closeTo(1, 1e-5)
    })
  })

  describe('ranks', () => {
    const query = 'How tall is Mount Everest?'
    const documents = ['Bananas are rich in potassium.', 'Mount Everest is 8,849 metres tall.', 'Taxes rose in March.']

    it('in the specification’s dialect', async () => {
      const { results } = await answer<Ranking>('/rerank', { query, documents, return_documents: true, top_n: 2 })
      expect(results).to.have.length(2)
      expect(results[0]).to.deep.include({ index: 1, text: documents[1] }).and.not.have.property('document')
      for (const { relevance_score: score } of results) expect(score).to.be.within(0, 1)
      const bare = await answer<Ranking>('/rerank', { query, documents })
      expect(bare.results[0]).to.have.all.keys('index', 'relevance_score')
    })

    it('as clients of Cohere and Jina ask and read', async () => {
      const body = {
        query,
        documents: documents.map((text) => ({ text })),
        top_n: 10,
        return_documents: true,
        rank_fields: ['text'],
        max_chunks_per_doc: null,
      }
      const { results, usage } = await answer<Ranking>('/v1/rerank', body)
      expect(usage!.total_tokens).to.be.greaterThan(0)
      expect(results.map(({ document }) => document!.text)).to.have.members(documents)
      expect(results[0]!.document).to.deep.equal({ text: documents[1] })
    })

    it('a thousand documents, wherever the answer stands', async () => {
      const many = Array.from({ length: 1000 }, (_, index) => `Interest rates rose again, ${index} times.`)
      many[700] = documents[1]!
      const { results } = await answer<Ranking>('/rerank', { query, documents: many })
      expect(results).to.have.length(1000)
      expect(results[0]!.index).to.equal(700)
      const scores = results.map(({ relevance_score: score }) => score)
      expect(scores).to.deep.equal(scores.toSorted((left, right) => right - left))
    })
  })

  for (const prefix of dialects)
    it(`gives tokens, their places in code points, and their text back, under ${prefix || '/'}`, async () => {
      const input = 'hello 👍 world'
      const { tokens, data } = await answer<Tokens>(`${prefix}/tokenize`, { input })
      expect(data).to.deep.equal(tokens)
      const points = Array.from(input)
      for (const { start, stop, end, text } of tokens) {
        expect(end).to.equal(stop)
        expect(points.slice(start, stop).join('')).to.equal(text)
      }
      const known = 'hello world, again'
      const back = await answer<{ text: string }>(`${prefix}/detokenize`, { tokens: await idsOf(known) })
      expect(back.text).to.equal(known)
    })

  it('lists itself where it can be used, and nothing under chat', async () => {
    for (const path of ['/embeddings', '/embedding', '/rerank', '/tokenize', '/detokenize'])
      expect(await (await server.get(path)).json(), path).to.deep.equal([model])
    expect((await server.post('/chat/completions', { model, messages: 'Hi' })).status).to.equal(404)
  })

  describe('refuses', () => {
    const million = 'word '.repeat(200_000)
    const cases: readonly (readonly [name: string, path: string, body: object, says: RegExp])[] = [
      ['an empty string', '/embeddings', { input: '' }, /^input: must be a non-empty string/],
      ['an empty list', '/embeddings', { input: [] }, /^input: must be/],
      ['an empty string in a list', '/embeddings', { input: ['a', ''] }, /^input\[1\]: must be a non-empty string/],
      ['an empty list in a list', '/embeddings', { input: [[]] }, /^input\[0\]: must be/],
      ['token ids beside texts', '/embeddings', { input: [7592, 'a'] }, /^input: must not mix token ids/],
      ['what is neither text nor id', '/embeddings', { input: [true] }, /^input\[0\]: must be/],
      ['an item with neither text nor image', '/embedding', { input: [{}] }, /^input\[0\]: must have a text/],
      ['an item with something else', '/embedding', { input: [{ txt: 'a' }] }, /^input\[0\]\.txt: is unknown/],
      ['a text of a megabyte', '/embeddings', { input: million }, /^input: has .* the model takes 256: shorten it/],
      ['an image', '/embedding', { input: [{ image: images.red }] }, /reads no images; no loaded one does/],
      ['other dimensions', '/embeddings', { input: 'a', dimensions: 128 }, /^dimensions: .*384/],
      ['a direction in between', '/embeddings', { input: 'a', truncation_direction: 'Up' }, /^truncation_direction: /],
      [
        'two directions',
        '/embeddings',
        { input: 'a', truncation_direction: 'Left', truncate_direction: 'Right' },
        /^truncate_direction: must not differ/,
      ],
      ['a query without words', '/rerank', { query: '', documents: ['a'] }, /^query: /],
      ['no documents', '/rerank', { query: 'a', documents: [] }, /^documents: /],
      ['a document without text', '/rerank', { query: 'a', documents: [{ title: 'a' }] }, /^documents\[0\]\.text: /],
      ['a model that it has not', '/embeddings', { model: 'another', input: 'a' }, /^model not found: another/],
    ]
    for (const [name, path, body, says] of cases)
      it(`${name}, and says why, in both dialects`, async () => {
        const plain = await server.post(path, { model, ...body })
        expect(plain.status).to.equal(400)
        expect(((await plain.json()) as { error: string }).error).to.match(says)
        const openai = await server.post(`/v1${path}`, { model, ...body })
        expect(openai.status).to.equal('model' in body ? 404 : 400)
        const { error } = (await openai.json()) as { error: { message: string; type: string } }
        expect(error.message).to.match(says)
        expect(error.type).to.be.a('string')
      })

    it('one of several requests, and answers the others', async () => {
      const good = Array.from({ length: 8 }, (_, index) => vectorOf(`text ${index}`))
      const refused = await server.post('/embeddings', {
        model,
        input: [...Array.from({ length: 50 }, () => 'fine'), million],
      })
      expect(refused.status).to.equal(400)
      expect(await refused.json())
        .to.have.property('error')
        .that.matches(/^input\[50\]: /)
      for (const vector of await Promise.all(good)) expect(vector).to.have.length(dimensions)
    })
  })

  it('cuts a text of a megabyte while it answers others', async () => {
    const huge = vectorOf('word '.repeat(200_000), { truncate: true })
    const small = await Promise.all(Array.from({ length: 8 }, (_, index) => vectorOf(`text ${index}`)))
    expect(small).to.have.length(8)
    expect(await huge).to.have.length(dimensions)
  })

  it('survives the death of the model’s process', async () => {
    execFileSync('pkill', ['-KILL', '-P', String(server.child.pid)])
    const next = await patiently(server, '/embeddings', { model, input: 'still there' })
    expect(next.status).to.equal(200)
  })
})
