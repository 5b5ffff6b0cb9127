import { failure } from '@sallyport/core'
import type { Call, Served, TextClassificationCapability } from '@sallyport/core'
import { logit } from '../scoring.js'

/** Windows of one call to the model: more would make others wait. */
const atOnce = 32

/** A model with text-classification that reads windows of texts. */
export class WindowClassifier {
  constructor(
    private readonly model: () => Served<TextClassificationCapability>,
    /** Compared without case; the first one is the one that decides. */
    private readonly labels: readonly string[],
    /** What the model is called, for messages. */
    private readonly name: string,
  ) {}

  /** Asks the model once. @throws model_invalid, where it does not have the first label */
  async check(): Promise<void> {
    const { labels } = await this.model().classify({ inputs: [{ text: 'a' }] })
    this.logits(labels[0] ?? [])
  }

  /**
   * Windows with logits of the labels; -Infinity for a label that the model does not have. Those that read the same, as
   * in a repeated text, are asked for once.
   * @throws model_invalid, where the model does not have the first label
   */
  async scored<Window extends { readonly read: string }>(
    windows: readonly Window[],
    call: Call,
  ): Promise<(Window & { readonly logits: readonly number[] })[]> {
    const logits = new Map<string, readonly number[]>()
    const texts = [...new Set(windows.map(({ read }) => read))]
    for (let from = 0; from < texts.length; from += atOnce) {
      const part = texts.slice(from, from + atOnce)
      const { labels } = await this.model().classify({ inputs: part.map((text) => ({ text })) }, call)
      for (const [index, text] of part.entries()) logits.set(text, this.logits(labels[index] ?? []))
    }
    return windows.map((window) => ({ ...window, logits: logits.get(window.read) ?? [] }))
  }

  private logits(scores: readonly { label: string; score: number }[]): number[] {
    const known = new Map(scores.map(({ label, score }) => [label.toLowerCase(), score]))
    return this.labels.map((label, index) => {
      const score = known.get(label.toLowerCase())
      if (score !== undefined) return logit(score)
      if (index > 0) return -Infinity
      const there = [...known.keys()].join(', ') || 'none'
      const problem = `it has no label "${label}", but ${there}: say the right one in the options of the detector`
      throw failure('model_invalid', { model: this.name, problem })
    })
  }
}
