import { failure } from '@sallyport/core'
import type { Call, Served, TextClassificationCapability } from '@sallyport/core'
import { logit } from '../scoring.js'

/** The maximum number of windows in one call to the model: with more, other requests would wait. */
const maxBatchSize = 32

/** A model with text-classification that reads windows of texts. */
export class WindowClassifier {
  constructor(
    private readonly model: () => Served<TextClassificationCapability>,
    /** Labels of the model, compared case-insensitively. All but the first are optional. */
    private readonly labels: readonly string[],
    /** The id of the model, for messages. */
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

  private logits(scores: readonly { label: string; score: number }[]): number[] {
    const known = new Map(scores.map(({ label, score }) => [label.toLowerCase(), score]))
    return this.labels.map((label, index) => {
      const score = known.get(label.toLowerCase())
      if (score !== undefined) return logit(score)
      if (index > 0) return -Infinity
      const names = [...known.keys()].join(', ') || 'none'
      const problem = `it has no label "${label}" (its labels: ${names}): set the right one in the options of the detector`
      throw failure('model_invalid', { model: this.name, problem })
    })
  }
}
