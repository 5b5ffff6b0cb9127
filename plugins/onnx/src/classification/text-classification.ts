import type {
  Call,
  TextClassificationCapability,
  TextClassificationRequest,
  TextClassificationResult,
} from '@sallyport/core'
import type { Evaluate } from '../encoder/text-model.js'
import type { TextTokenizer } from '../text/tokenizer.js'
import { nameOf, scoresOf } from './labels.js'
import type { Labels } from './labels.js'

/**
 * Labels texts and pairs of texts. A text that is longer than the model's limit is cut at its end; of a pair, the
 * longer text is cut.
 */
export class OnnxTextClassification implements TextClassificationCapability {
  constructor(
    private readonly tokenizer: TextTokenizer,
    private readonly evaluate: Evaluate,
    private readonly labels: Labels,
  ) {}

  async classify({ inputs }: TextClassificationRequest, call: Call): Promise<TextClassificationResult> {
    const encode = ({ text, pair }: TextClassificationRequest['inputs'][number]) =>
      this.tokenizer.encode(text, { truncate: 'right', ...(pair === undefined ? {} : { pair }) }, call)
    const logits = await this.evaluate(inputs, encode, call)
    const labels = logits.map((row) =>
      scoresOf(row, this.labels.activation)
        .map((score, id) => ({ label: nameOf(this.labels, id), score }))
        .sort((a, b) => b.score - a.score),
    )
    return { labels }
  }
}
