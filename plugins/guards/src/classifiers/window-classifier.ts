import type { Call, Served, TextClassificationCapability } from '@sallyport/core'
import { logit } from '../scoring.js'
import { requiredScore, scoreOfLabel } from './labels.js'
import type { ScoredLabel } from './labels.js'

/** The maximum number of windows in one call to the model: with more, other requests would wait. */
const maxBatchSize = 32

/** A model with text-classification that reads windows of texts. */
export class WindowClassifier {
  constructor(
    private readonly model: () => Served<TextClassificationCapability>,
    /** Labels of the model, or what this package calls them. All but the first are optional. */
    private readonly labels: readonly string[],
    /** The id or the source of the model, for messages. */
    private readonly name: string,
  ) {}

  /** Calls the model once. @throws model_invalid where the model lacks the first label */
  async check(): Promise<void> {
    const { labels } = await this.model().classify({ inputs: [{ text: 'a' }] })
    this.logits(labels[0] ?? [])
  }

  /**
   * Adds the logits of the labels to windows; -Infinity for a label that the model lacks. Each text is classified once,
   * however often it is repeated.
   * @throws model_invalid where the model lacks the first label
   */
  async score<Window extends { readonly input: string }>(
    windows: readonly Window[],
    call: Call,
  ): Promise<(Window & { readonly logits: readonly number[] })[]> {
    const logits = new Map<string, readonly number[]>()
    const texts = [...new Set(windows.map(({ input }) => input))]
    for (let from = 0; from < texts.length; from += maxBatchSize) {
      const part = texts.slice(from, from + maxBatchSize)
      const { labels } = await this.model().classify({ inputs: part.map((text) => ({ text })) }, call)
      for (const [index, text] of part.entries()) logits.set(text, this.logits(labels[index] ?? []))
    }
    return windows.map((window) => ({ ...window, logits: logits.get(window.input) ?? [] }))
  }

  private logits(scores: readonly ScoredLabel[]): number[] {
    return this.labels.map((label, index) => {
      const score = index > 0 ? scoreOfLabel(scores, label) : requiredScore(scores, label, this.name)
      return score === undefined ? -Infinity : logit(score)
    })
  }
}
