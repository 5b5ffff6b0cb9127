/** Rerank as the second version of Cohere's API has it, for clients that speak nothing else. */

import { rerank } from '@sallyport/core'
import { noSafeguards } from '../safeguards/placement.js'
import type { BodyOf, Schema } from '../schemas/schema.js'
import { newId, wireScore } from '../dialects/values.js'
import type { Limits } from '../options.js'
import { json } from './answer.js'
import type { Answer } from './answer.js'
import { post } from './body-routes.js'
import type { Exchange } from './exchange.js'
import { omitUndefined } from './generation.js'
import type { Route } from './route.js'
import { count, objectOf, listOf, modelNameOf, nonEmptyText, opaque, text } from '../schemas/common.js'
import { tokenCount } from '../schemas/generation.js'

/** @param documents the schema of one document, and the plural noun for error messages */
export const rerankRequest =
  <const Item extends Schema, const More extends Readonly<Record<string, Schema>>>(
    documents: readonly [item: Item, plural: string],
    more: More,
  ) =>
  ({ inputs }: Limits) =>
    ({
      type: 'object',
      required: ['model', 'query', 'documents'],
      properties: {
        model: modelNameOf('rerank'),
        query: nonEmptyText,
        documents: {
          type: 'array',
          minItems: 1,
          maxItems: inputs,
          items: documents[0],
          'x-allowed': `an array of 1 to ${inputs} ${documents[1]}`,
        },
        top_n: { type: 'integer', minimum: 1, description: 'how many results; all when absent' },
        ...more,
      },
    }) as const

const request = rerankRequest([text, 'strings'], {
  max_tokens_per_doc: {
    ...tokenCount,
    description: 'tokens that are read of each document; absent: as many as the model can',
  },
})

const response = objectOf({
  id: opaque('made by the server'),
  results: listOf(
    objectOf({
      index: { type: 'integer', description: 'position in the request' },
      relevance_score: { type: 'number' },
    }),
  ),
  meta: objectOf(
    {
      api_version: objectOf({ version: { type: 'string', enum: ['2'] } }),
      billed_units: objectOf({ search_units: count }),
      tokens: objectOf({ input_tokens: count, output_tokens: count }),
    },
    ['tokens'],
  ),
})

/** Cohere counts a query with up to this many documents as one search. */
const documentsPerSearch = 100

const handle = async (body: BodyOf<ReturnType<typeof request>>, exchange: Exchange): Promise<Answer> => {
  const { model, query, documents, top_n: topN, max_tokens_per_doc: documentTokens } = body
  const { service } = exchange.choose(rerank, model)
  const { ranking, promptTokens } = await service.rerank(
    { query, documents, ...omitUndefined({ topN, documentTokens }) },
    exchange.callOptions(),
  )
  return json({
    id: newId('rerank'),
    results: ranking.slice(0, topN).map(({ index, score }) => ({ index, relevance_score: wireScore(score) })),
    meta: {
      api_version: { version: '2' },
      billed_units: { search_units: Math.ceil(documents.length / documentsPerSearch) },
      ...(promptTokens === undefined ? {} : { tokens: { input_tokens: promptTokens, output_tokens: 0 } }),
    },
  })
}

export const cohereRerankRoute: Route = post({
  path: '/rerank',
  dialects: ['cohere'],
  capability: rerank.name,
  tag: 'Ranking',
  summary: 'Sort texts by relevance to a query',
  request,
  response,
  safeguards: noSafeguards,
  fields: { topN: 'top_n', documentTokens: 'max_tokens_per_doc' },
  handle,
})
