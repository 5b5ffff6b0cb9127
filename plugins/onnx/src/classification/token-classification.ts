import { maxOf } from '@sallyport/kit/lists'
import { Pacer } from '@sallyport/kit/async'
import type { Call, ClassifiedSpan, TokenClassificationCapability } from '@sallyport/core'
import { lazily } from '../batching/items.js'
import type { Evaluate } from '../evaluate.js'
import type { JsonTokenizer } from '../text/json-tokenizer.js'
import { softmax } from '../probabilities.js'
import type { TextPart } from '../text/text-reader.js'
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
  readonly parts: readonly TextPart[]
  readonly windows: readonly Window[]
}

/**
 * Labels spans of texts of any length: a text that is longer than the model reads is read in windows. The first token
 * of a word labels the word; a span's score is the mean of its words'.
 */
export class OnnxTokenClassification implements TokenClassificationCapability {
  constructor(
    private readonly tokenizer: JsonTokenizer,
    private readonly evaluate: Evaluate,
    private readonly labels: Labels,
  ) {}

  async classify({ texts }: { texts: string[] }, call: Call): Promise<{ spans: ClassifiedSpan[][] }> {
    const read: ReadText[] = []
    for (const text of texts) read.push(await this.read(text, call))
    const windows = read.flatMap(({ parts, windows: own }) => own.map((window) => ({ parts, window })))
    const encodings = lazily(windows, ({ parts, window }) =>
      this.tokenizer.encodeIds(parts.slice(window.from, window.to).map(({ id }) => id)),
    )
    const rows = (await this.evaluate(encodings, call)).values()
    return {
      spans: read.map(({ text, parts, windows: own }) =>
        spansOf(
          this.words(
            parts,
            own,
            own.map(() => rows.next().value ?? new Float32Array()),
          ),
          text,
        ),
      ),
    }
  }

  private async read(text: string, call: Call): Promise<ReadText> {
    const pacer = new Pacer(call)
    const parts: TextPart[] = []
    for (const some of this.tokenizer.parts(text)) {
      for (const part of some) parts.push(part)
      await pacer.pause()
    }
    const { limit, frames } = this.tokenizer
    const starts = [...parts.keys()].filter((index) => parts[index]?.beginsWord)
    const windows = parts.length === 0 ? [] : windowsOf(parts.length, starts, limit - frames.single.size, overlap)
    return { text, parts, windows }
  }

  private words(parts: readonly TextPart[], windows: readonly Window[], rows: readonly Float32Array[]): LabelledWord[] {
    const words: LabelledWord[] = []
    for (const [index, { from, to, counts }] of windows.entries()) {
      const end = windows[index + 1]?.counts ?? to
      for (let place = counts; place < end; place += 1) {
        const part = parts[place]
        if (part?.beginsWord)
          words.push({ ...this.best(rows[index], place - from, to - from), ...wordAt(parts, place) })
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
const wordAt = (parts: readonly TextPart[], first: number): { start: number; end: number } => {
  let end = parts[first]?.end ?? 0
  for (let next = first + 1; next < parts.length && !parts[next]?.beginsWord; next += 1) end = parts[next]?.end ?? end
  return { start: parts[first]?.start ?? 0, end }
}
