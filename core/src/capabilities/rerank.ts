import type { Call } from './call.js'
import { capability } from './capability.js'

export interface RerankRequest {
  query: string
  documents: string[]
  /** How many results; all when absent. */
  topN?: number
}

export interface RerankResult {
  /** Best first; ties in the order of the request. `index` is the position in the request, `score` is in 0..1. */
  ranking: { index: number; score: number }[]
  promptTokens?: number
}

/** Sorts documents by relevance to a query. */
export interface RerankCapability {
  /** @throws context_exceeded, overloaded. */
  rerank(request: RerankRequest, call: Call): Promise<RerankResult>
}

export const rerank = capability<RerankCapability>()('rerank', {
  guarded: true,
  methods: { rerank: { kind: 'call', input: { query: 'text', documents: 'text' }, output: {} } },
})
