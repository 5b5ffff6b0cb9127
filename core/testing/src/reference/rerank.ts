import type { RerankCapability } from '@sallyport/core'
import { referenceService } from './backend.js'
import { vocabularyOf, wordsOf } from './words.js'

/** Ranks documents by the share of words that they have in common with the query (Dice coefficient). */
export const OverlapRerank = referenceService<RerankCapability>({
  rerank: ({ query, topN, documentTokens, ...request }) => {
    const queryWords = vocabularyOf(query)
    const documents = request.documents.map((document) => wordsOf(document).slice(0, documentTokens).join(''))
    const ranking = documents.map((document, index) => ({ index, score: dice(queryWords, vocabularyOf(document)) }))
    return {
      ranking: ranking.sort((a, b) => b.score - a.score).slice(0, topN),
      promptTokens: [query, ...documents].reduce((sum, text) => sum + wordsOf(text).length, 0),
    }
  },
})

const dice = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const common = [...a].filter((word) => b.has(word)).length
  return common === 0 ? 0 : (2 * common) / (a.size + b.size)
}
