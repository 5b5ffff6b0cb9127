import type { Pacer } from '@sallyport/kit/async'
import type { Span, View } from '@sallyport/kit/views'
import { terseView } from './terse-view.js'
import { windowsOf } from './windows.js'
import type { WindowSize } from './windows.js'
import type { TokenizedWord, WordPieceTokenizer } from './wordpiece.js'

/** A window, in UTF-16 code units of the text. */
export interface CutWindow extends Span {
  /** The text that the model gets. */
  readonly input: string
}

export interface CutOptions {
  /** The text before. One more window is cut across both texts; its span covers the part in the second. */
  readonly before?: string
  /** Whether the windows of another text cover a span of this one, so that it need not be read. */
  readonly isCovered?: (span: Span) => boolean
}

/** Cuts texts into the windows that a model reads. */
export class WindowCutter {
  constructor(
    private readonly tokenizer: WordPieceTokenizer,
    private readonly size: WindowSize,
  ) {}

  /** Runs that mean nothing are left out of the windows. */
  async cut(whole: string, pacer: Pacer, options: CutOptions = {}): Promise<CutWindow[]> {
    const { text, sourceOf } = await this.terse(whole, pacer)
    const before = (await this.terse(options.before ?? '', pacer)).text
    const words = await this.tokenizer.tokenize(text, pacer)
    const place = (window: CutWindow): CutWindow => ({ ...window, ...sourceOf(window) })
    return [
      ...this.across(before, await this.tokenizer.tokenize(before, pacer), text, words).map(place),
      ...this.windows(text, words)
        .map(place)
        .filter((window) => !options.isCovered?.(window)),
    ]
  }

  private terse(text: string, pacer: Pacer): Promise<View> {
    return terseView(text, (word) => this.tokenizer.subwordLengths(word), pacer)
  }

  /**
   * A window across both texts: half of it, or less, is the beginning of the text, the rest the end of the text before.
   */
  private across(
    before: string,
    beforeWords: readonly TokenizedWord[],
    text: string,
    words: readonly TokenizedWord[],
  ): CutWindow[] {
    let [room, from, to] = [this.size.length, beforeWords.length, 0]
    for (; to < words.length && lengthOf(words[to]) <= room - this.size.length / 2; to += 1) room -= lengthOf(words[to])
    for (; from > 0 && lengthOf(beforeWords[from - 1]) <= room; from -= 1) room -= lengthOf(beforeWords[from - 1])
    const [first, last] = [beforeWords[from], words[to - 1]]
    return first && last
      ? [{ start: 0, end: last.end, input: before.slice(first.start) + text.slice(0, last.end) }]
      : []
  }

  /** Windows begin and end between words. */
  private windows(text: string, words: readonly TokenizedWord[]): CutWindow[] {
    return Array.from(
      windowsOf(words.length, (at) => lengthOf(words[at]), this.size),
      ({ from, to }) => {
        const start = from > 0 ? (words[from]?.start ?? text.length) : 0
        const end = to < words.length ? (words[to - 1]?.end ?? text.length) : text.length
        return { start, end, input: text.slice(start, end) }
      },
    )
  }
}

const lengthOf = (word: TokenizedWord | undefined): number => word?.ids.length ?? 0
