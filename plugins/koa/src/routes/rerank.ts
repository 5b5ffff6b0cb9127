import { rerank } from '@sallyport/core'
import { noSafeguards } from '../safeguards/placement.js'
import type { BodyOf } from '../schemas/schema.js'
import { wireScore } from '../dialects/values.js'
import { json } from './answer.js'
import type { Answer } from './answer.js'
import { cohereRerankRoute, rerankRequest } from './cohere-rerank.js'
import type { Exchange } from './exchange.js'
import { omitUndefined } from './generation.js'
import { post } from './body-routes.js'
import { modelIdsRoute } from './route.js'
import type { Route } from './route.js'
import { objectOf, envelopeFields, listOf, text } from '../schemas/common.js'
import { promptUsage } from '../schemas/generation.js'

const document = {
  ...text,
  type: ['string', 'object'],
  required: ['text'],
  properties: { text },
  'x-allowed': 'a string or an object {text}',
} as const

const request = rerankRequest([document, 'strings or objects {text}'], { return_documents: { type: 'boolean' } })

const response = objectOf(
  {
    ...envelopeFields('list'),
    results: listOf(
      objectOf(
        {
          index: { type: 'integer', description: 'position in the request' },
          relevance_score: { type: 'number' },
          text,
          document: { type: 'object', properties: { text }, description: 'under /v1' },
        },
        ['text', 'document'],
      ),
    ),
    usage: promptUsage,
  },
  ['usage'],
)

const handle = async (body: BodyOf<ReturnType<typeof request>>, exchange: Exchange): Promise<Answer> => {
  const { descriptor, service } = exchange.choose(rerank, body.model)
  const documents = body.documents.map((document) => (typeof document === 'string' ? document : document.text))
  const { ranking, promptTokens } = await service.rerank(
    { query: body.query, documents, ...omitUndefined({ topN: body.top_n, returnDocuments: body.return_documents }) },
    exchange.callOptions(),
  )
  const shown = (document: string | undefined) => {
    if (document === undefined) return {}
    // Cohere's and Jina's clients read an object.
    return exchange.context.dialect.name === 'openai'
      ? { text: document, document: { text: document } }
      : { text: document }
  }
  return json({
    ...exchange.envelope('rerank', 'list', descriptor.id),
    results: ranking
      .slice(0, body.top_n)
      .map(({ index, score, document }) => ({ index, relevance_score: wireScore(score), ...shown(document) })),
    ...(promptTokens === undefined ? {} : { usage: { prompt_tokens: promptTokens, total_tokens: promptTokens } }),
  })
}

export const rerankRoutes: readonly Route[] = [
  post({
    path: '/rerank',
    capability: rerank.name,
    tag: 'Ranking',
    summary: 'Sort texts by relevance to a query',
    request,
    response,
    safeguards: noSafeguards,
    fields: { topN: 'top_n', returnDocuments: 'return_documents' },
    handle,
  }),
  modelIdsRoute('/rerank', rerank),
  cohereRerankRoute,
]
