import type {
  Call,
  TextClassificationCapability,
  TextClassificationRequest,
  TextClassificationResult,
} from '@sallyport/core'
import type { Evaluate } from '../encoder/text-model.js'
import type { TextTokenizer } from '../text/tokenizer.js'
import { defaultName, scoresOf } from './labels.js'
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
    return { labels: logits.map((row) => this.labelsFor(row)) }
  }

  private labelsFor(logits: Float32Array): TextClassificationResult['labels'][number] {
    const { names, activation } = this.labels
    return scoresOf(logits, activation)
      .map((score, id) => ({ label: names[id] ?? defaultName(id), score }))
      .sort((a, b) => b.score - a.score)
  }
}
