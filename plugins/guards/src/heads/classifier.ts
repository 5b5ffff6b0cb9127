import { failure } from '@sallyport/core'
import type { Call, Served, TextClassificationCapability, Pacer } from '@sallyport/core'
import { logit } from './aggregate.js'
import { terseView } from '../reading/terse.js'
import type { View } from '../reading/view.js'
import type { ScoredWindow } from './ngrams.js'
import type { Pieces, WordPieces } from './word-pieces.js'

export interface WindowSize {
  /** Pieces of words in a window. */
  readonly length: number
  /** Pieces from the begin of one window to that of the next. */
  readonly stride: number
}

/** In UTF-16 units of the text. */
interface Window {
  readonly start: number
  readonly end: number
  /** What the model reads. */
  readonly read: string
}

interface ScoreOptions {
  /** What stands before the text: a window more is read across both, of which the part in the text is told. */
  readonly before?: string
  /** Whether the windows of another text say all of a span of this one: then it is not asked for. */
  readonly isKnown?: (start: number, end: number) => boolean
}

/** Windows of one call to the model: more would make others wait. */
const atOnce = 32

/** A model with text-classification that reads a text in windows. */
export class WindowClassifier {
  constructor(
    private readonly model: () => Served<TextClassificationCapability>,
    private readonly pieces: WordPieces,
    private readonly size: WindowSize,
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
   * Logits of the labels, by window; -Infinity for one that the model does not have. Rows that say nothing are cut.
   * @throws model_invalid, where the model does not have the first label
   */
  async score(whole: string, pacer: Pacer, call: Call, options: ScoreOptions = {}): Promise<ScoredWindow[]> {
    const { text, place } = await this.terse(whole, pacer)
    const before = (await this.terse(options.before ?? '', pacer)).text
    const words = await this.pieces.cut(text, pacer)
    const placed = (window: Window): Window => ({ ...window, ...place(window.start, window.end) })
    const windows = [
      ...this.across(before, await this.pieces.cut(before, pacer), text, words).map(placed),
      ...this.windows(text, words)
        .map(placed)
        .filter(({ start, end }) => !options.isKnown?.(start, end)),
    ]
    const scores = await this.scores(new Set(windows.map(({ read }) => read)), call)
    return windows.map(({ start, end, read }) => ({ start, end, logits: scores.get(read) ?? [] }))
  }

  /** Windows that read the same, as those of a repeated text do, are one. */
  private async scores(reads: ReadonlySet<string>, call: Call): Promise<Map<string, number[]>> {
    const texts = [...reads]
    const scores = new Map<string, number[]>()
    for (let from = 0; from < texts.length; from += atOnce) {
      const part = texts.slice(from, from + atOnce)
      const { labels } = await this.model().classify({ inputs: part.map((text) => ({ text })) }, call)
      for (const [index, text] of part.entries()) scores.set(text, this.logits(labels[index] ?? []))
    }
    return scores
  }

  private terse(text: string, pacer: Pacer): Promise<View> {
    return terseView(text, (word) => this.pieces.lengths(word), pacer)
  }

  /** A window of which half is the text, or less where the text is shorter, and the rest what stands before it. */
  private across(before: string, lead: readonly Pieces[], text: string, words: readonly Pieces[]): Window[] {
    let [room, from, to] = [this.size.length, lead.length, 0]
    for (; to < words.length && lengthOf(words[to]) <= room - this.size.length / 2; to += 1) room -= lengthOf(words[to])
    for (; from > 0 && lengthOf(lead[from - 1]) <= room; from -= 1) room -= lengthOf(lead[from - 1])
    const [first, last] = [lead[from], words[to - 1]]
    return first && last ? [{ start: 0, end: last.end, read: before.slice(first.start) + text.slice(0, last.end) }] : []
  }

  /** Begins and ends lie between words. */
  private windows(text: string, words: readonly Pieces[]): Window[] {
    const { length, stride } = this.size
    const windows: Window[] = []
    let begin = 0
    for (let from = 0; from < words.length;) {
      let [to, count] = [from, 0]
      let next = from
      while (to < words.length && count + lengthOf(words[to]) <= length) {
        count += lengthOf(words[to])
        to += 1
        if (count <= stride) next = to
      }
      to = Math.max(to, from + 1)
      const end = to < words.length ? (words[to - 1]?.end ?? text.length) : text.length
      windows.push({ start: begin, end, read: text.slice(begin, end) })
      if (to >= words.length) break
      from = Math.max(next, from + 1)
      begin = words[from]?.start ?? text.length
    }
    return windows
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

const lengthOf = (word: Pieces | undefined): number => word?.ids.length ?? 0
