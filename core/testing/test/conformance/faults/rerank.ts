import { rerank } from '@sallyport/core'
import type { RerankCapability, RerankResult } from '@sallyport/core'
import { references } from '../../reference/references.js'
import { plant } from '../plant.js'
import { answeredBy, askedOf, callFaults } from './calls.js'

type Ranking = RerankResult['ranking']

const changeRanking = (change: (ranking: Ranking) => Ranking) =>
  answeredBy<RerankCapability, 'rerank'>('rerank', (result) => ({ ...result, ranking: change(result.ranking) }))

const changeScores = (change: (score: number, index: number) => number) =>
  changeRanking((ranking) => ranking.map(({ index, score }) => ({ index, score: change(score, index) })))

export const rerankFaults = plant<RerankCapability>({
  capability: rerank,
  ...references.rerank,
  faults: {
    ...callFaults<RerankCapability, 'rerank'>('rerank', ({ ranking }, times) => ({
      ranking: ranking.map(({ index, score }) => ({ index, score: score / (times + 1) })),
    })),
    'every document stands once in the ranking': changeRanking((ranking) => [...ranking.slice(1), ranking[1]!]),
    'the ranking is best first': changeRanking((ranking) => [...ranking].reverse()),
    'the document that answers the query is first': changeRanking((ranking) =>
      ranking.map(({ index, score }) => ({ index: ranking.length - 1 - index, score })),
    ),
    'scores are in 0..1': changeScores((score) => score * 5 - 1),
    'equal documents have equal scores and keep their order': changeRanking((ranking) =>
      [...ranking].sort((a, b) => b.score - a.score || b.index - a.index),
    ),
    'topN cuts the ranking': askedOf('rerank', ({ query, documents }) => ({ query, documents })),
    'a topN above the number of documents returns all': answeredBy('rerank', (result, { topN = 0 }) =>
      topN > result.ranking.length ? { ranking: [] } : result,
    ),
    'documentTokens leaves out the end of documents': askedOf('rerank', ({ query, documents }) => ({
      query,
      documents,
    })),
    'an empty list has no ranking, or is refused': changeRanking((ranking) =>
      ranking.length ? ranking : [{ index: 0, score: 0 }],
    ),
    'unusual documents are ranked': answeredBy('rerank', ({ ranking }, { documents }) => ({
      ranking: ranking.filter(({ index }) => documents[index]?.trim()),
    })),
    'a long document is ranked, or refused with context_exceeded': askedOf('rerank', ({ documents, ...request }) => ({
      ...request,
      documents: documents.filter(({ length }) => length < 10_000),
    })),
    'promptTokens, where it is given, grows with the documents': answeredBy('rerank', ({ ranking }) => ({
      ranking,
      promptTokens: 12,
    })),
  },
})
