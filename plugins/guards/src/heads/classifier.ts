import { failure } from '@sallyport/core'
import type { Call, Served, TextClassificationCapability, Turns } from '@sallyport/core'
import { logit } from './aggregate.js'
import type { ScoredWindow } from './ngrams.js'
import type { WordPieces } from './word-pieces.js'

export interface WindowSize {
  /** Pieces of words in a window. */
  readonly length: number
  /** Pieces from the begin of one window to that of the next. */
  readonly stride: number
}

interface Window {
  readonly start: number
  readonly end: number
}

/** Windows of one call to the model: more would make others wait. */
const atOnce = 32

/** A model with text-classification that reads a text in windows. */
export class WindowClassifier {
  constructor(
    private readonly model: () => Served<TextClassificationCapability>,
    private readonly pieces: WordPieces,
    private readonly size: WindowSize,
    /** What the model is called, for messages. */
    private readonly name: string,
  ) {}

  /**
   * Logits of the labels, by window. Labels are compared without case; -Infinity for one that the model does not have.
   * @throws model_invalid, where the model does not have the first one
   */
  async score(text: string, labels: readonly string[], turns: Turns, call: Call): Promise<ScoredWindow[]> {
    const windows = await this.windows(text, turns)
    const scored: ScoredWindow[] = []
    for (let from = 0; from < windows.length; from += atOnce) {
      const part = windows.slice(from, from + atOnce)
      const inputs = part.map(({ start, end }) => ({ text: text.slice(start, end) }))
      const result = await this.model().classify({ inputs }, call)
      for (const [index, window] of part.entries())
        scored.push({ ...window, logits: this.logits(result.labels[index] ?? [], labels) })
    }
    return scored
  }

  /** Begins and ends lie between words. */
  private async windows(text: string, turns: Turns): Promise<Window[]> {
    const words = await this.pieces.cut(text, turns)
    const { length, stride } = this.size
    const windows: Window[] = []
    let begin = 0
    for (let from = 0; from < words.length;) {
      let [to, count] = [from, 0]
      let next = from
      while (to < words.length && count + (words[to]?.ids.length ?? 0) <= length) {
        count += words[to]?.ids.length ?? 0
        to += 1
        if (count <= stride) next = to
      }
      to = Math.max(to, from + 1)
      windows.push({ start: begin, end: to < words.length ? (words[to - 1]?.end ?? text.length) : text.length })
      if (to >= words.length) break
      from = Math.max(next, from + 1)
      begin = words[from]?.start ?? text.length
    }
    return windows
  }

  private logits(scores: readonly { label: string; score: number }[], labels: readonly string[]): number[] {
    const known = new Map(scores.map(({ label, score }) => [label.toLowerCase(), score]))
    return labels.map((label, index) => {
      const score = known.get(label.toLowerCase())
      if (score !== undefined) return logit(score)
      if (index > 0) return -Infinity
      const there = [...known.keys()].join(', ') || 'none'
      const problem = `it has no label "${label}", but ${there}: say the right one in the options of the detector`
      throw failure('model_invalid', { model: this.name, problem })
    })
  }
}
