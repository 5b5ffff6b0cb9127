import { expect } from 'chai'
import { testCall } from '@sallyport/testing'
import { errorOf } from '@sallyport/stand-ins/errors'
import { json } from './support/answers.js'
import { loadModel } from './support/models.js'
import { serveEachTest, StandIn } from './support/stand-in.js'

const server = new StandIn()

const load = (options: object = {}) =>
  loadModel({ url: server.url, capabilities: ['rerank'], retries: { count: 0 }, ...options })

describe('rerank', () => {
  serveEachTest(server)

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

  it('hands on how much of a document is to be read', async () => {
    server.will(json({ results: scores(0.2) }))
    const model = await load()
    await model.rerank.rerank({ query: 'q', documents: ['a b'], documentTokens: 1 }, testCall())
    expect(server.body).to.include({ max_tokens_per_doc: 1 })
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
    await errorOf(rank(scores(0.1)), 'upstream_failed')
    await errorOf(rank(scores(0.1, 0.2, 0.3, 0.4)), 'upstream_failed')
    await errorOf(rank([{ index: 0 }, { index: 1 }, { index: 2 }]), 'upstream_failed')
  })
})
