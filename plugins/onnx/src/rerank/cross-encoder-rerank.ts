import type { Call, RerankCapability, RerankRequest, RerankResult } from '@sallyport/core'
import { lazily } from '../batching/items.js'
import type { Evaluate } from '../evaluate.js'
import type { TextTokenizer } from '../text/text-tokenizer.js'
import { firstEqual, ranking, sigmoid } from './ranking.js'

/**
 * Sorts documents with a model that reads the query and a document together and answers with one number, whose logistic
 * function is the score. What is too long is cut at the end: the document, and the query only where it leaves less than
 * a quarter of the room to the document.
 */
export class CrossEncoderRerank implements RerankCapability {
  constructor(
    private readonly tokenizer: TextTokenizer,
    private readonly evaluate: Evaluate,
  ) {}

  async rerank({ query, documents, topN }: RerankRequest, call: Call): Promise<RerankResult> {
    let promptTokens = 0
    const encodings = lazily(documents, (document) => {
      const encoding = this.tokenizer.encode(query, { pair: document, truncate: 'right', keepFirst: true })
      promptTokens += encoding.ids.length
      return encoding
    })
    const logits = await this.evaluate(encodings, call)
    const scores = firstEqual(documents).map((first) => sigmoid(logits[first]?.[0] ?? 0))
    return { ranking: ranking(scores, topN), promptTokens }
  }
}
