import { append } from '@sallyport/kit/lists'
import type { Requester } from '@sallyport/kit/async'
import type { Call, ClassifiedSpan, TokenClassificationCapability } from '@sallyport/core'
import type { Evaluate } from '../encoder/text-model.js'
import type { Encoding } from '../text/token-template.js'
import type { TextTokenizer } from '../text/tokenizer.js'
import { windowsOf } from '../text/windows.js'
import type { Window } from '../text/windows.js'
import { scoredSpans, withoutOverlaps } from './decode-spans.js'
import type { WordSpan } from './decode-spans.js'
import type { SpanSettings } from './prompt.js'

/** How many tokens two consecutive windows share. */
const overlap = 48

/** What GLiNER models take for a word: letters and digits, also with hyphens between, or any other sign. */
const wordPattern = /[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*|\S/gu

/** In UTF-16 code units of the text. */
interface Word {
  readonly start: number
  readonly end: number
}

interface WordToken {
  readonly id: number
  /** The index of its word. */
  readonly word: number
  readonly beginsWord: boolean
}

interface WordWindow extends Window {
  readonly tokens: readonly WordToken[]
  readonly firstWord: number
}

/**
 * Labels spans of words by a model that gets the names of the labels with each text (GLiNER: Zaratiana and others,
 * arXiv:2311.08526). Texts of any length are read in windows.
 */
export class OnnxSpanClassification implements TokenClassificationCapability {
  constructor(
    private readonly tokenizer: TextTokenizer,
    private readonly evaluate: Evaluate,
    private readonly settings: SpanSettings,
    private readonly prompt: readonly number[],
  ) {}

  /** @throws the signal's reason */
  static async promptOf(
    { labels, labelId, separatorId }: SpanSettings,
    tokenizer: TextTokenizer,
    requester: Requester,
  ) {
    const ids: number[] = []
    for (const label of labels) {
      ids.push(labelId)
      for await (const tokens of tokenizer.tokens(label, requester))
        append(
          ids,
          tokens.map(({ id }) => id),
        )
    }
    return [...ids, separatorId]
  }

  async classify({ texts }: { texts: string[] }, call: Call): Promise<{ spans: ClassifiedSpan[][] }> {
    const prepared: { readonly words: readonly Word[]; readonly windows: readonly WordWindow[] }[] = []
    for (const text of texts) prepared.push(await this.windows(text, call))
    const encodings = prepared.flatMap(({ windows }) => windows.map(({ tokens }) => this.encode(tokens)))
    const rows = (await this.evaluate(encodings, (encoding) => encoding, call)).values()
    const next = () => rows.next().value ?? new Float32Array()
    return { spans: prepared.map(({ words, windows }) => this.spans(words, windows, windows.map(next))) }
  }

  /** @param tokens of a text, of which the first begins a word */
  encode(tokens: readonly WordToken[]): Encoding {
    const { single } = this.tokenizer.templates
    const encoding = single.apply([...this.prompt, ...tokens.map(({ id }) => id)])
    const words = new Array<number>(encoding.ids.length).fill(0)
    const [from, firstWord] = [single.before + this.prompt.length, tokens[0]?.word ?? 0]
    for (const [index, { word, beginsWord }] of tokens.entries())
      if (beginsWord || index === 0) words[from + index] = word - firstWord + 1
    return { ...encoding, words }
  }

  /** The windows of a text. Words are tokenized each by itself, so that no text can spell a token of the prompt. */
  async windows(text: string, requester: Requester): Promise<{ words: Word[]; windows: WordWindow[] }> {
    const words = Array.from(text.matchAll(wordPattern), ({ 0: { length }, index }) => ({
      start: index,
      end: index + length,
    }))
    const spaced = words.map(({ start, end }) => text.slice(start, end)).join(' ')
    const tokens: WordToken[] = []
    let [word, end, last] = [0, lengthOf(words[0]), -1]
    for await (const part of this.tokenizer.tokens(spaced, requester))
      for (const token of part) {
        for (; token.end > end; end += 1 + lengthOf(words[word])) word += 1
        tokens.push({ id: token.id, word, beginsWord: word !== last })
        last = word
      }
    if (tokens.length === 0) return { words, windows: [] }
    const { contextLength, templates } = this.tokenizer
    const room = contextLength - templates.single.specialTokenCount - this.prompt.length
    const windows = windowsOf(tokens, Math.min(room, this.settings.maxWords), overlap).map((window) => {
      const own = tokens.slice(window.from, window.to)
      return { ...window, tokens: own, firstWord: own[0]?.word ?? 0 }
    })
    return { words, windows }
  }

  /** A span counts in the window in which its first word has most context. @param rows the results of the windows */
  private spans(
    words: readonly Word[],
    windows: readonly WordWindow[],
    rows: readonly Float32Array[],
  ): ClassifiedSpan[] {
    const found: WordSpan[] = []
    for (const [index, { tokens, firstWord, from, firstCounted }] of windows.entries()) {
      const [counted, end] = [tokens[firstCounted - from]?.word ?? 0, windows[index + 1]?.firstCounted ?? Infinity]
      const next = tokens[end - from]?.word ?? Infinity
      const count = (tokens.at(-1)?.word ?? 0) - firstWord + 1
      for (const span of scoredSpans(rows[index] ?? new Float32Array(), count, this.settings)) {
        const [first, last] = [firstWord + span.first, firstWord + span.last]
        if (first >= counted && first < next) found.push({ ...span, first, last })
      }
    }
    return withoutOverlaps(found).map(({ label, first, last, score }) => {
      return { label, start: words[first]?.start ?? 0, end: words[last]?.end ?? 0, score }
    })
  }
}

const lengthOf = (word: Word | undefined): number => (word ? word.end - word.start : 0)
