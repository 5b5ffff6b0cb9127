import type { Call, RerankCapability, RerankRequest, RerankResult } from '@sallyport/core'
import type { UpstreamClient } from './client/client.js'
import type { UpstreamOptions } from './options.js'
import { BadReply, countOf, fieldsOf, listOf } from './wire/read.js'

/** Reranks by `POST /rerank`, in the form of Jina, Cohere, vLLM and llama-server. */
export class UpstreamRerank implements RerankCapability {
  constructor(
    private readonly client: UpstreamClient,
    private readonly model: string,
    private readonly options: UpstreamOptions['rerank'],
  ) {}

  async rerank(request: RerankRequest, call: Call): Promise<RerankResult> {
    const { query, documents, topN = documents.length, documentTokens } = request
    const body = {
      ...{ model: this.model, query, documents, top_n: documents.length, return_documents: false },
      // Cohere's name; servers that do not know it read the whole documents.
      ...(documentTokens === undefined ? {} : { max_tokens_per_doc: documentTokens }),
    }
    return this.client.ask({ path: '/rerank', body }, call, (answer) => {
      const { results, usage } = fieldsOf(answer, 'the answer')
      const scores = scoresOf(listOf(results, 'results'), documents.length)
      const ranking = probabilities(scores, this.options.scores)
        .map((score, index) => ({ index, score }))
        .sort((a, b) => b.score - a.score || a.index - b.index)
        .slice(0, topN)
      const counts = fieldsOf(usage, 'usage')
      const promptTokens = countOf(counts.prompt_tokens) ?? countOf(counts.total_tokens)
      return { ranking, ...(promptTokens === undefined ? {} : { promptTokens }) }
    })
  }
}

/** The scores in the order of the documents. @throws BadReply */
const scoresOf = (results: readonly unknown[], documents: number): number[] => {
  const scores = new Map<number, number>()
  for (const result of results) {
    const { index, relevance_score, score = relevance_score } = fieldsOf(result, 'a result')
    const position = countOf(index)
    if (position === undefined || position >= documents || typeof score !== 'number')
      throw new BadReply('a result of its ranking has no valid index or score')
    scores.set(position, score)
  }
  if (scores.size !== documents) throw new BadReply(`it ranked ${scores.size} of ${documents} documents`)
  return Array.from({ length: documents }, (_, index) => scores.get(index) ?? 0)
}

const probabilities = (scores: readonly number[], kind: UpstreamOptions['rerank']['scores']): number[] => {
  const logits = kind === 'logit' || (kind === 'auto' && scores.some((score) => score < 0 || score > 1))
  return scores.map((score) => (logits ? 1 / (1 + Math.exp(-score)) : Math.min(1, Math.max(0, score))))
}
