/** Rerank for clients of the second version of Cohere's API. */

import type { RerankRequest } from '@sallyport/core'
import { expect } from 'chai'
import { testKernel } from './support/kernel.js'
import type { TestModel } from './support/kernel.js'
import { speaker, toolbox } from './support/models.js'
import { serverFor, withServer } from './support/server.js'

const requests: RerankRequest[] = []

/** Counts no tokens. */
const noting: TestModel = {
  id: 'noting',
  services: {
    rerank: {
      rerank: (request: RerankRequest) => {
        requests.push(request)
        return Promise.resolve({ ranking: request.documents.map((_, index) => ({ index, score: 0.5 })) })
      },
    },
  },
}

const policies = { inward: { input: { pii: { action: 'block' } } } } as const

describe('/v2/rerank', () => {
  const server = serverFor(() => testKernel([toolbox, speaker, noting], { policies }))

  const body = { model: 'toolbox', query: 'q', documents: ['a', 'b'] }
  const ask = async (fields: object, path = '/v2/rerank', headers = {}) => {
    const answer = await server.post(path, { ...body, ...fields }, headers)
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const meta = {
    api_version: { version: '2' },
    billed_units: { search_units: 1 },
    tokens: { input_tokens: 7, output_tokens: 0 },
  }
  const results = [
    { index: 0, relevance_score: 1 - 1e-6 },
    { index: 1, relevance_score: 0.5 },
  ]

  it('answers with places and scores, and nothing more', async () => {
    const { id, ...rest } = (await ask({})).body
    expect(id).to.match(/^rerank-[\da-f-]{36}$/)
    expect(rest).to.deep.equal({ results, meta })
  })

  it('takes what clients send besides', async () => {
    const sent = { return_documents: true, rank_fields: ['text'], priority: 0, top_n: null, max_tokens_per_doc: null }
    expect((await ask(sent)).body).to.deep.include({ results, meta })
    expect((await ask({}, '//v2//rerank')).body).to.deep.include({ results })
  })

  it('cuts the list and the documents', async () => {
    const { results: cut, meta: counted } = (await ask({ top_n: 1, max_tokens_per_doc: 5, model: 'noting' })).body
    expect(cut).to.have.length(1)
    expect(counted).to.not.have.property('tokens')
    expect(requests.at(-1)).to.deep.equal({ query: 'q', documents: ['a', 'b'], topN: 1, documentTokens: 5 })
  })

  it('counts a search for each hundred documents', async () => {
    const { meta: counted } = (await ask({ documents: Array.from({ length: 101 }, () => 'a') })).body
    expect(counted).to.have.nested.property('billed_units.search_units', 2)
  })

  const refusals: readonly [what: string, fields: object, status: number, message: RegExp][] = [
    ['no query', { query: undefined }, 400, /^query: /],
    ['documents that are no texts', { documents: [{ text: 'a' }] }, 400, /^documents\[0\]: must be a string/],
    ['no documents', { documents: [] }, 400, /^documents: must be an array of 1 to 16384 strings/],
    ['no tokens of a document', { max_tokens_per_doc: 0 }, 400, /^max_tokens_per_doc: must be an integer from 1 to/],
    ['a model that is not there', { model: 'other' }, 404, /^model not found: other/],
    ['a model that ranks nothing', { model: 'speaker' }, 404, /does not offer rerank/],
    ['safeguards, which it has none of', { safeguards: { pii: 'block' } }, 400, /^safeguards: /],
  ]
  for (const [what, fields, status, message] of refusals)
    it(`refuses ${what} as Cohere's clients read it`, async () => {
      const answer = await ask(fields)
      expect(answer.status).to.equal(status)
      expect(answer.body).to.have.all.keys('message')
      expect(answer.body['message']).to.match(message)
    })

  it('refuses what is no request in the same way', async () => {
    for (const [method, path, headers, status] of [
      ['POST', '/v2/rerank', { authorization: 'Bearer wrong' }, 401],
      ['GET', '/v2/rerank', {}, 405],
      ['POST', '/v2/chat', {}, 404],
    ] as const) {
      const answer = await server.send(method, path, undefined, headers)
      expect(answer.status).to.equal(status)
      expect(await answer.json()).to.have.all.keys('message')
    }
  })

  it('is guarded by the policies of the route', async () => {
    const kernel = await testKernel([toolbox], { policies })
    await withServer(kernel, { policies: { '/rerank': 'inward' } }, async ({ post }) => {
      const answer = await post('/v2/rerank', { ...body, query: 'Ann' }, { 'x-safeguards-receipt': 'true' })
      expect(answer.status).to.equal(400)
      expect(answer.headers.get('x-safeguards')).to.equal('pii=block')
      const refusal = (await answer.json()) as object
      expect(refusal).to.have.all.keys('message', 'safeguards')
      expect(refusal).to.include({ message: 'pii detected' })
    })
  })
})
