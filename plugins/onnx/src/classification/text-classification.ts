import type {
  Call,
  TextClassificationCapability,
  TextClassificationRequest,
  TextClassificationResult,
} from '@sallyport/core'
import { inSteps } from '../batching/items.js'
import type { Evaluate } from '../evaluate.js'
import type { TextTokenizer } from '../text/text-tokenizer.js'
import { defaultName } from './labels.js'
import type { Labels } from './labels.js'
import { scoresOf } from './scores.js'

/**
 * Labels texts and pairs of texts. Of those that are longer than the model reads, the beginning counts; of a pair, the
 * longer text is cut.
 */
export class OnnxTextClassification implements TextClassificationCapability {
  constructor(
    private readonly tokenizer: TextTokenizer,
    private readonly evaluate: Evaluate,
    private readonly labels: Labels,
  ) {}

  async classify({ inputs }: TextClassificationRequest, call: Call): Promise<TextClassificationResult> {
    const encodings = inSteps(inputs, ({ text, pair }) =>
      this.tokenizer.encodeInSteps(text, { truncate: 'right', ...(pair === undefined ? {} : { pair }) }),
    )
    const logits = await this.evaluate(encodings, call)
    return { labels: logits.map((row) => this.labelled(row)) }
  }

  private labelled(logits: Float32Array): TextClassificationResult['labels'][number] {
    const { names, scores } = this.labels
    return scoresOf(logits, scores)
      .map((score, id) => ({ label: names[id] ?? defaultName(id), score }))
      .sort((a, b) => b.score - a.score)
  }
}
