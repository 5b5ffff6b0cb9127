import { append, maxOf } from '@sallyport/kit/lists'
import type { Call, ClassifiedSpan, TokenClassificationCapability } from '@sallyport/core'
import type { Evaluate } from '../encoder/text-model.js'
import type { TextTokenizer } from '../text/tokenizer.js'
import { softmax } from '../probabilities.js'
import type { TextToken } from '../text/text-reader.js'
import { defaultName } from './labels.js'
import type { Labels } from './labels.js'
import { windowsOf } from '../text/windows.js'
import type { Window } from '../text/windows.js'
import { spansOf } from './word-spans.js'
import type { LabelledWord } from './word-spans.js'

/** Tokens that two windows have in common. */
const overlap = 48

interface ReadText {
  readonly text: string
  readonly tokens: readonly TextToken[]
  readonly windows: readonly Window[]
}

/**
 * Labels spans of texts of any length: a text that is longer than the model reads is read in windows. The first token
 * of a word labels the word; a span's score is the mean of its words'.
 */
export class OnnxTokenClassification implements TokenClassificationCapability {
  constructor(
    private readonly tokenizer: TextTokenizer,
    private readonly evaluate: Evaluate,
    private readonly labels: Labels,
  ) {}

  async classify({ texts }: { texts: string[] }, call: Call): Promise<{ spans: ClassifiedSpan[][] }> {
    const read: ReadText[] = []
    for (const text of texts) read.push(await this.read(text, call))
    const windows = read.flatMap(({ tokens, windows: own }) => own.map(({ from, to }) => tokens.slice(from, to)))
    const encode = (window: readonly TextToken[]) => this.tokenizer.frames.single.around(window.map(({ id }) => id))
    const rows = (await this.evaluate(windows, encode, call)).values()
    const next = () => rows.next().value ?? new Float32Array()
    return { spans: read.map((one) => spansOf(this.words(one, one.windows.map(next)), one.text)) }
  }

  private async read(text: string, call: Call): Promise<ReadText> {
    const tokens: TextToken[] = []
    for await (const some of this.tokenizer.tokens(text, call)) append(tokens, some)
    const { limit, frames } = this.tokenizer
    const windows = tokens.length === 0 ? [] : windowsOf(tokens, limit - frames.single.size, overlap)
    return { text, tokens, windows }
  }

  private words({ tokens, windows }: ReadText, rows: readonly Float32Array[]): LabelledWord[] {
    const words: LabelledWord[] = []
    for (const [index, { from, to, counts }] of windows.entries()) {
      const end = windows[index + 1]?.counts ?? to
      for (let place = counts; place < end; place += 1) {
        if (tokens[place]?.beginsWord)
          words.push({ ...this.best(rows[index], place - from, to - from), ...wordAt(tokens, place) })
      }
    }
    return words
  }

  /** The likeliest label of a window's token. */
  private best(
    logits: Float32Array = new Float32Array(),
    place: number,
    tokens: number,
  ): { label: string; score: number } {
    const { before, size } = this.tokenizer.frames.single
    const count = logits.length / (tokens + size)
    const row = softmax(logits.subarray((before + place) * count, (before + place + 1) * count))
    const score = maxOf(row)
    const id = row.indexOf(score)
    return { label: this.labels.names[id] ?? defaultName(id), score }
  }
}

/** The tokens of a word, from its first one on. */
const wordAt = (tokens: readonly TextToken[], first: number): { start: number; end: number } => {
  let end = tokens[first]?.end ?? 0
  for (let next = first + 1; tokens[next]?.beginsWord === false; next += 1) end = tokens[next]?.end ?? end
  return { start: tokens[first]?.start ?? 0, end }
}
