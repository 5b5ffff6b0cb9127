import { append, maxOf } from '@sallyport/kit/lists'
import type { Call, ClassifiedSpan, TokenClassificationCapability } from '@sallyport/core'
import type { Evaluate } from '../encoder/text-model.js'
import type { TextTokenizer } from '../text/tokenizer.js'
import { softmax } from '../statistics.js'
import type { TextToken } from '../text/windowed-tokenizer.js'
import { nameOf } from './labels.js'
import type { Labels } from './labels.js'
import { windowsOf } from '../text/windows.js'
import type { Window } from '../text/windows.js'
import { spansOf } from './word-spans.js'
import type { LabelledWord } from './word-spans.js'

/** How many tokens two consecutive windows share. */
const overlap = 48

interface WindowedText {
  readonly text: string
  readonly tokens: readonly TextToken[]
  readonly windows: readonly Window[]
}

/**
 * Labels spans of texts of any length: a text that exceeds the model's limit is read in windows. The first token of a
 * word labels the word; the score of a span is the mean of its words' scores.
 */
export class OnnxTokenClassification implements TokenClassificationCapability {
  constructor(
    private readonly tokenizer: TextTokenizer,
    private readonly evaluate: Evaluate,
    private readonly labels: Labels,
  ) {}

  async classify({ texts }: { texts: string[] }, call: Call): Promise<{ spans: ClassifiedSpan[][] }> {
    const windowedTexts: WindowedText[] = []
    for (const text of texts) windowedTexts.push(await this.tokenize(text, call))
    const windows = windowedTexts.flatMap((one) => one.windows.map(({ from, to }) => one.tokens.slice(from, to)))
    const encode = (window: readonly TextToken[]) => this.tokenizer.templates.single.apply(window.map(({ id }) => id))
    const rows = (await this.evaluate(windows, encode, call)).values()
    const next = () => rows.next().value ?? new Float32Array()
    return { spans: windowedTexts.map((one) => spansOf(this.words(one, one.windows.map(next)), one.text)) }
  }

  private async tokenize(text: string, call: Call): Promise<WindowedText> {
    const tokens: TextToken[] = []
    for await (const window of this.tokenizer.tokens(text, call)) append(tokens, window)
    const { contextLength, templates } = this.tokenizer
    const size = contextLength - templates.single.specialTokenCount
    return { text, tokens, windows: tokens.length === 0 ? [] : windowsOf(tokens, size, overlap) }
  }

  private words({ tokens, windows }: WindowedText, rows: readonly Float32Array[]): LabelledWord[] {
    const words: LabelledWord[] = []
    for (const [index, row] of rows.entries()) {
      const { from = 0, to = 0, firstCounted = 0 } = windows[index] ?? {}
      const end = windows[index + 1]?.firstCounted ?? to
      for (let position = firstCounted; position < end; position += 1) {
        if (tokens[position]?.beginsWord)
          words.push({ ...this.best(row, position - from, to - from), ...wordSpan(tokens, position) })
      }
    }
    return words
  }

  /** The most probable label of a token. @param position the position of the token in its window */
  private best(logits: Float32Array, position: number, tokens: number): Pick<LabelledWord, 'label' | 'score'> {
    const { before, specialTokenCount } = this.tokenizer.templates.single
    const labelCount = logits.length / (tokens + specialTokenCount)
    const start = (before + position) * labelCount
    const row = softmax(logits.subarray(start, start + labelCount))
    const score = maxOf(row)
    const id = row.indexOf(score)
    return { label: nameOf(this.labels, id), score }
  }
}

/** The span of the word that begins with this token. */
const wordSpan = (tokens: readonly TextToken[], first: number): { start: number; end: number } => {
  let end = tokens[first]?.end ?? 0
  for (let next = first + 1; tokens[next]?.beginsWord === false; next += 1) end = tokens[next]?.end ?? end
  return { start: tokens[first]?.start ?? 0, end }
}
