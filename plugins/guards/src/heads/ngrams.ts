import { readFile } from 'node:fs/promises'
import type { Pacer } from '@sallyport/core'
import { crc32 } from './crc32.js'
import type { Word } from './words.js'

/** What ngrams.json says of ngrams.bin. */
interface Description {
  readonly outputs: readonly string[]
  /** Features of words and pairs of words, and of runs of characters. */
  readonly words: number
  readonly chars: number
  /** One per output: what a weight of 1 means, and what is added. */
  readonly scale: readonly number[]
  readonly bias: readonly number[]
  /** In words. */
  readonly window: number
  readonly stride: number
}

/** A part of a text, in UTF-16 units, with one logit per output of a model. */
export interface ScoredWindow {
  readonly start: number
  readonly end: number
  readonly logits: readonly number[]
}

const lengths = [3, 4, 5]

/** Logistic regression over hashed words, pairs of words and runs of characters; see training/ngrams.py. */
export class NGrams {
  /** Number of the window in which a feature was last counted: it may grow beyond 32 bits. */
  private readonly counted: Float64Array
  private windows = 0

  constructor(
    private readonly description: Description,
    /** By output, then feature: words first, then characters. */
    private readonly weights: Int8Array,
  ) {
    this.counted = new Float64Array(description.words + description.chars)
  }

  static async load(folder: URL): Promise<NGrams> {
    const description = JSON.parse(await readFile(new URL('ngrams.json', folder), 'utf8')) as Description
    const file = await readFile(new URL('ngrams.bin', folder))
    return new NGrams(description, new Int8Array(file.buffer, file.byteOffset, file.length))
  }

  get outputs(): readonly string[] {
    return this.description.outputs
  }

  /** Every window of a text, one at least. */
  async score(words: readonly Word[], pacer: Pacer): Promise<ScoredWindow[]> {
    const { window, stride } = this.description
    const features = new Features(words, this.description)
    const scored: ScoredWindow[] = []
    for (let from = 0; from < Math.max(1, words.length - (window - stride)); from += stride) {
      const to = Math.min(words.length, from + window)
      const [start, end] = [words[from]?.start ?? 0, words[to - 1]?.end ?? 0]
      scored.push({ start, end, logits: this.logits(features, from, to) })
      await pacer.pause()
    }
    return scored
  }

  private logits(features: Features, from: number, to: number): number[] {
    this.windows += 1
    const total = this.description.words + this.description.chars
    const sums = this.description.outputs.map(() => [0, 0])
    const counts = [0, 0]
    const count = (feature: number, kind: 0 | 1) => {
      if (this.counted[feature] === this.windows) return
      this.counted[feature] = this.windows
      counts[kind] = (counts[kind] ?? 0) + 1
      let place = feature
      for (const sum of sums) {
        sum[kind] = (sum[kind] ?? 0) + (this.weights[place] ?? 0)
        place += total
      }
    }
    for (let at = from; at < to; at += 1) {
      count(features.single(at), 0)
      if (at + 1 < to) count(features.pair(at), 0)
      for (const feature of features.characters(at)) count(feature, 1)
    }
    const [words = 0, chars = 0] = counts.map((number) => 1 / Math.sqrt(Math.max(1, number)))
    const { bias, scale } = this.description
    return sums.map(([w = 0, c = 0], output) => (bias[output] ?? 0) + (scale[output] ?? 0) * (w * words + c * chars))
  }
}

/** Features of a text by the place of the word, each computed once: windows overlap, and words come again. */
class Features {
  private readonly known = new Map<string, number>()
  private readonly grams = new Map<string, readonly number[]>()

  constructor(
    private readonly words: readonly Word[],
    private readonly sizes: Pick<Description, 'words' | 'chars'>,
  ) {}

  single(at: number): number {
    return this.hashed(this.words[at]?.word ?? '')
  }

  pair(at: number): number {
    return this.hashed(`${this.words[at]?.word ?? ''} ${this.words[at + 1]?.word ?? ''}`)
  }

  characters(at: number): readonly number[] {
    const word = this.words[at]?.word ?? ''
    let features = this.grams.get(word)
    if (!features) {
      features = gramsOf(` ${word} `).map((gram) => this.sizes.words + (crc32(gram) % this.sizes.chars))
      this.grams.set(word, features)
    }
    return features
  }

  private hashed(text: string): number {
    let feature = this.known.get(text)
    if (feature === undefined) {
      feature = crc32(text) % this.sizes.words
      this.known.set(text, feature)
    }
    return feature
  }
}

/** Runs of characters, by their length. */
const gramsOf = (text: string): string[] => {
  // Most texts have no character of two units: then those of the text are its characters.
  const characters = surrogate.test(text) ? Array.from(text) : undefined
  const count = characters?.length ?? text.length
  const grams: string[] = []
  for (const length of lengths)
    for (let from = 0; from + length <= count; from += 1)
      grams.push(characters ? characters.slice(from, from + length).join('') : text.slice(from, from + length))
  return grams
}

const surrogate = /[\ud800-\udfff]/
