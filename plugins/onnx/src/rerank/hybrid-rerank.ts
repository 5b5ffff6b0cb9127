import { maxOf } from '@sallyport/kit/lists'
import { mapBounded, runPaced, Pacer } from '@sallyport/kit/async'
import type { Call, RerankCapability, RerankRequest, RerankResult } from '@sallyport/core'
import type { PurposeEmbedding } from '../embedding.js'
import { logistic } from '../probabilities.js'
import { bm25 } from './bm25.js'
import { documentsAtOnce } from './passages.js'
import type { Passages } from './passages.js'
import { firstEqual, rankWritten, zScores } from './ranking.js'
import type { Scored } from './ranking.js'

/**
 * Of the cosine, beside 1 for BM25. Chosen on the 100 WiCE queries that it was then measured on (MAP 0.650; equal
 * weights 0.643), so the difference proves nothing about other data.
 */
const semanticWeight = 0.75

/**
 * Sorts documents with a model of sentence vectors: BM25 and the cosine to the query, each in standard deviations from
 * the mean of the request's documents. The score is the logistic function of the weighted sum: 0.5 is an average document
 * of the request, so scores of different requests cannot be compared. Blank documents score 0.
 *
 * The cosine of a document is that of its best passage: a vector says little about a text of many sentences. BM25
 * looks at the whole document.
 */
export class HybridRerank implements RerankCapability {
  constructor(
    private readonly embedding: PurposeEmbedding,
    private readonly passages: Passages,
  ) {}

  rerank(request: RerankRequest, call: Call): Promise<RerankResult> {
    return rankWritten(request, (written) => this.score(request.query, written, call))
  }

  private async score(query: string, documents: readonly string[], call: Call): Promise<Scored> {
    const { cosines, promptTokens } = await this.cosines(query, documents, call)
    const lexical = zScores(await runPaced(bm25(query, documents), new Pacer(call)))
    const scores = zScores(cosines).map((semantic, index) =>
      logistic(semanticWeight * semantic + (lexical[index] ?? 0)),
    )
    return { scores, promptTokens }
  }

  private async cosines(query: string, documents: readonly string[], call: Call) {
    const passages = await mapBounded(documents, documentsAtOnce, (document) => this.passages.of(document, call))
    // in one call: a request is admitted as a whole, or refused as a whole
    const texts = [
      { text: query, inputType: 'query' as const },
      ...passages.flat().map((text) => ({ text, inputType: 'document' as const })),
    ]
    const { vectors, promptTokens } = await this.embedding.embedFor(texts, call)
    const [asked = new Float32Array(), ...found] = vectors
    const each = found.map((one) => cosine(asked, one)).values()
    const best = passages.map((own) => maxOf(own.map(() => each.next().value ?? 0)))
    return { cosines: firstEqual(documents).map((first) => best[first] ?? 0), promptTokens }
  }
}

/** 0 where one of the vectors is. */
const cosine = (a: Float32Array, b: Float32Array): number => {
  let [product, lengthA, lengthB] = [0, 0, 0]
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0
    product += value * other
    lengthA += value * value
    lengthB += other * other
  }
  return lengthA > 0 && lengthB > 0 ? product / Math.sqrt(lengthA * lengthB) : 0
}
