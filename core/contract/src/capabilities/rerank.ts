import type { Call } from './call.js'
import { capability } from './capability.js'
import { list } from './shape.js'

export interface RerankRequest {
  query: string
  documents: string[]
  /** Maximum number of results; all when absent. */
  topN?: number
  /** Number of tokens that are read of each document, from its beginning; by default the model's maximum. */
  documentTokens?: number
  /**
   * Return the documents with their scores. The kernel does it, with what the input checks have left and before the
   * output checks, so backends never see the option.
   */
  returnDocuments?: boolean
}

/** `index` is the position in the request, `score` is in 0..1. */
export interface RankedDocument {
  index: number
  score: number
  /** The document as the backend received it, if requested: whole, also where `documentTokens` limits what is read. */
  document?: string
}

export interface RerankResult {
  /** Best first; ties in the order of the request. */
  ranking: RankedDocument[]
  promptTokens?: number
}

/** Sorts documents by relevance to a query. */
export interface RerankCapability {
  /** @throws context_exceeded, overloaded. */
  rerank(request: RerankRequest, call: Call): Promise<RerankResult>
}

export const rerank = capability<RerankCapability>()('rerank', {
  guarded: true,
  methods: {
    rerank: {
      kind: 'call',
      request: {
        query: 'text',
        documents: list('text'),
        'topN?': 'number',
        'documentTokens?': 'number',
        'returnDocuments?': 'boolean',
      },
      origins: { query: 'user', documents: 'document' },
      result: {
        ranking: list({ index: 'number', score: 'number', 'document?': 'text' }),
        'promptTokens?': 'number',
      },
    },
  },
})
