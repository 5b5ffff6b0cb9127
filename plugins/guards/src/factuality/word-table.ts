import { readFile } from 'node:fs/promises'
import type { WordPieceTokenizer } from '../heads/wordpiece.js'

/** The content of factuality.json. */
interface FactualityModel {
  readonly features: readonly string[]
  readonly mean: readonly number[]
  readonly scale: readonly number[]
  readonly weights: readonly number[]
  readonly bias: number
  /** The number of texts in which stems were counted, and how many of them contain each stem. */
  readonly documents: number
  readonly frequency: Readonly<Record<string, number>>
  readonly vectors: { readonly dimensions: number; readonly scale: readonly number[] }
}

const unknownPiece = 100

/** Weights of stems, and vectors of words. */
export class WordTable {
  private readonly frequency: ReadonlyMap<string, number>

  constructor(
    readonly model: FactualityModel,
    private readonly rows: Int8Array,
    private readonly pieces: WordPieceTokenizer,
  ) {
    this.frequency = new Map(Object.entries(model.frequency))
  }

  static async load(folder: URL, pieces: WordPieceTokenizer): Promise<WordTable> {
    const model = JSON.parse(await readFile(new URL('factuality.json', folder), 'utf8')) as FactualityModel
    const file = await readFile(new URL('factuality.vectors.bin', folder))
    return new WordTable(model, new Int8Array(file.buffer, file.byteOffset, file.length), pieces)
  }

  /** The logit that a claim is supported. */
  support(features: readonly number[]): number {
    const { mean, scale, weights, bias } = this.model
    return features.reduce(
      (total, value, at) => total + ((value - (mean[at] ?? 0)) / (scale[at] ?? 1)) * (weights[at] ?? 0),
      bias,
    )
  }

  /** The inverse document frequency of a stem. */
  weight(stem: string): number {
    return Math.log((this.model.documents + 1) / ((this.frequency.get(stem) ?? 0) + 0.5))
  }

  /** The normalised mean of the vectors of a word's subwords. */
  vector(word: string): Float32Array {
    const { dimensions, scale } = this.model.vectors
    const ids = this.pieces.ids(word)
    const vector = new Float32Array(dimensions)
    for (const id of ids.length > 0 ? ids : [unknownPiece])
      for (let at = 0; at < dimensions; at += 1)
        vector[at] = (vector[at] ?? 0) + (this.rows[id * dimensions + at] ?? 0) * (scale[at] ?? 0)
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) + 1e-9
    return vector.map((value) => value / length)
  }
}
