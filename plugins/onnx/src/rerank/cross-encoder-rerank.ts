import type { Call, RerankCapability, RerankRequest, RerankResult } from '@sallyport/core'
import type { Evaluate } from '../encoder/text-model.js'
import { sigmoid } from '../statistics.js'
import type { TextTokenizer } from '../text/tokenizer.js'
import { firstOccurrences, rankNonBlank } from './ranking.js'
import type { DocumentScores } from './ranking.js'

/**
 * Ranks documents with a model that reads the query and a document together. The score is the sigmoid of the model's
 * output. Where they do not fit together, the document is cut at its end, and the query only where it leaves less than
 * a quarter of the tokens to the document. Blank documents score 0.
 */
export class CrossEncoderRerank implements RerankCapability {
  constructor(
    private readonly tokenizer: TextTokenizer,
    private readonly evaluate: Evaluate,
  ) {}

  rerank(request: RerankRequest, call: Call): Promise<RerankResult> {
    return rankNonBlank(request, (documents) => this.score(request.query, documents, call))
  }

  private async score(query: string, documents: readonly string[], call: Call): Promise<DocumentScores> {
    let promptTokens = 0
    const encode = async (document: string) => {
      const options = { pair: document, truncate: 'right', keepFirst: true } as const
      const encoding = await this.tokenizer.encode(query, options, call)
      promptTokens += encoding.ids.length
      return encoding
    }
    const logits = await this.evaluate(documents, encode, call)
    return { scores: firstOccurrences(documents).map((first) => sigmoid(logits[first]?.[0] ?? 0)), promptTokens }
  }
}
