import { readFile } from 'node:fs/promises'
import type { Pacer } from '@sallyport/kit/async'
import { Features } from './ngram-features.js'
import { windowsOf } from './windows.js'
import type { Word } from './words.js'

/** The content of ngrams.json, which describes ngrams.bin. */
interface Description {
  readonly outputs: readonly string[]
  /** The number of features for word unigrams and bigrams, and for character n-grams. */
  readonly words: number
  readonly chars: number
  /** For each output, the quantisation scale of its weights, and the bias. */
  readonly scale: readonly number[]
  readonly bias: readonly number[]
  /** The length of a window and the distance between the beginnings of windows, in words. */
  readonly window: number
  readonly stride: number
}

/** A part of a text, in UTF-16 code units, with a logit for each output of a model. */
export interface ScoredWindow {
  readonly start: number
  readonly end: number
  readonly logits: readonly number[]
}

/** Logistic regression over hashed word unigrams and bigrams, and character n-grams; see training/ngrams.py. */
export class NGramClassifier {
  /** For each feature, the number of the window in which it was last counted, which may exceed 32 bits. */
  private readonly lastCounted: Float64Array
  private windows = 0

  /** Weights by feature, then output, so that those of a feature are adjacent. */
  private readonly weights: Int8Array

  /** @param weights ordered by output, then feature */
  constructor(
    private readonly description: Description,
    weights: Int8Array,
  ) {
    const features = description.words + description.chars
    const outputs = description.outputs.length
    this.lastCounted = new Float64Array(features)
    this.weights = weights.map((_, at) => weights[(at % outputs) * features + Math.floor(at / outputs)] ?? 0)
  }

  static async load(folder: URL): Promise<NGramClassifier> {
    const description = JSON.parse(await readFile(new URL('ngrams.json', folder), 'utf8')) as Description
    const file = await readFile(new URL('ngrams.bin', folder))
    return new NGramClassifier(description, new Int8Array(file.buffer, file.byteOffset, file.length))
  }

  get outputs(): readonly string[] {
    return this.description.outputs
  }

  /** Scores all windows of a text, at least one. */
  async score(words: readonly Word[], pacer: Pacer): Promise<ScoredWindow[]> {
    const { window, stride } = this.description
    const features = new Features(words, this.description)
    const scored: ScoredWindow[] = []
    for (const { from, to } of windowsOf(words.length, () => 1, { length: window, stride })) {
      const [start, end] = [words[from]?.start ?? 0, words[to - 1]?.end ?? 0]
      scored.push({ start, end, logits: this.logits(features, from, to) })
      await pacer.pause()
    }
    return scored.length > 0 ? scored : [{ start: 0, end: 0, logits: this.logits(features, 0, 0) }]
  }

  private logits(features: Features, from: number, to: number): number[] {
    this.windows += 1
    const { bias, scale, outputs } = this.description
    const [words, characters] = [newSums(outputs.length), newSums(outputs.length)]
    for (let at = from; at < to; at += 1) {
      this.add(features.unigram(at), words)
      if (at + 1 < to) this.add(features.bigram(at), words)
      for (const feature of features.characters(at)) this.add(feature, characters)
    }
    return outputs.map(
      (_, output) =>
        (bias[output] ?? 0) + (scale[output] ?? 0) * (normalise(words, output) + normalise(characters, output)),
    )
  }

  private add(feature: number, sums: Sums): void {
    if (this.lastCounted[feature] === this.windows) return
    this.lastCounted[feature] = this.windows
    sums.count += 1
    const { byOutput } = sums
    const first = feature * byOutput.length
    for (let output = 0; output < byOutput.length; output += 1)
      byOutput[output] = (byOutput[output] ?? 0) + (this.weights[first + output] ?? 0)
  }
}

/** The sums of weights over features of one kind. */
interface Sums {
  count: number
  readonly byOutput: number[]
}

const newSums = (outputs: number): Sums => ({ count: 0, byOutput: Array<number>(outputs).fill(0) })

const normalise = ({ count, byOutput }: Sums, output: number): number =>
  (byOutput[output] ?? 0) * (1 / Math.sqrt(Math.max(1, count)))
