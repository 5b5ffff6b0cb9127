import type { Call, RerankCapability, RerankRequest, RerankResult } from '@sallyport/core'
import type { Evaluate } from '../encoder/text-model.js'
import { logistic } from '../probabilities.js'
import type { TextTokenizer } from '../text/tokenizer.js'
import { firstEqual, rankWritten } from './ranking.js'
import type { Scored } from './ranking.js'

/**
 * Sorts documents with a model that reads the query and a document together and answers with one number, whose logistic
 * function is the score. What is too long is cut at the end: the document, and the query only where it leaves less than
 * a quarter of the room to the document. Blank documents score 0.
 */
export class CrossEncoderRerank implements RerankCapability {
  constructor(
    private readonly tokenizer: TextTokenizer,
    private readonly evaluate: Evaluate,
  ) {}

  rerank(request: RerankRequest, call: Call): Promise<RerankResult> {
    return rankWritten(request, (written) => this.score(request.query, written, call))
  }

  private async score(query: string, documents: readonly string[], call: Call): Promise<Scored> {
    let promptTokens = 0
    const encode = async (document: string) => {
      const options = { pair: document, truncate: 'right', keepFirst: true } as const
      const encoding = await this.tokenizer.encode(query, options, call)
      promptTokens += encoding.ids.length
      return encoding
    }
    const logits = await this.evaluate(documents, encode, call)
    return { scores: firstEqual(documents).map((first) => logistic(logits[first]?.[0] ?? 0)), promptTokens }
  }
}
