import { maxOf } from '@sallyport/kit/lists'
import { cosine } from '@sallyport/kit/numbers'
import { mapBounded, runPaced, Pacer } from '@sallyport/kit/async'
import type { Call, RerankCapability, RerankRequest, RerankResult } from '@sallyport/core'
import type { OnnxEmbedding } from '../embedding.js'
import { sigmoid } from '../statistics.js'
import { bm25 } from './bm25.js'
import { documentsAtOnce } from './passages.js'
import type { PassageSplitter } from './passages.js'
import { firstOccurrences, rankNonBlank, zScores } from './ranking.js'
import type { DocumentScores } from './ranking.js'

/**
 * The weight of the cosine, where BM25 has the weight 1. It was chosen on the same 100 WiCE queries on which it was
 * measured (MAP 0.650; equal weights 0.643), so it proves nothing about other data.
 */
const semanticWeight = 0.75

/**
 * Ranks documents with an embedding model: BM25 and the cosine to the query, each in standard deviations from the mean
 * of the request's documents. The score is the sigmoid of the weighted sum: 0.5 is an average document of the request,
 * so scores of different requests cannot be compared. Blank documents score 0.
 *
 * The cosine of a document is that of its best passage, because a single vector represents many sentences badly. BM25
 * reads the whole document.
 */
export class HybridRerank implements RerankCapability {
  constructor(
    private readonly embedding: Pick<OnnxEmbedding, 'embedTexts'>,
    private readonly splitter: Pick<PassageSplitter, 'split'>,
  ) {}

  rerank(request: RerankRequest, call: Call): Promise<RerankResult> {
    return rankNonBlank(request, (documents) => this.score(request.query, documents, call))
  }

  private async score(query: string, documents: readonly string[], call: Call): Promise<DocumentScores> {
    const { cosines, promptTokens } = await this.cosines(query, documents, call)
    const lexical = zScores(await runPaced(bm25(query, documents), new Pacer(call)))
    const scores = zScores(cosines).map((semantic, index) => sigmoid(semanticWeight * semantic + (lexical[index] ?? 0)))
    return { scores, promptTokens }
  }

  private async cosines(query: string, documents: readonly string[], call: Call) {
    const passages = await mapBounded(documents, documentsAtOnce, (document) => this.splitter.split(document, call))
    // All texts are one call, so that a request is admitted or refused as a whole.
    const texts = [
      { text: query, inputType: 'query' as const },
      ...passages.flat().map((text) => ({ text, inputType: 'document' as const })),
    ]
    const { vectors, promptTokens } = await this.embedding.embedTexts(texts, call)
    const [queryVector = new Float32Array(), ...passageVectors] = vectors
    const cosines = passageVectors.map((vector) => cosine(queryVector, vector)).values()
    const best = passages.map((own) => maxOf(own.map(() => cosines.next().value ?? 0)))
    return { cosines: firstOccurrences(documents).map((first) => best[first] ?? 0), promptTokens }
  }
}
