import { readFile } from 'node:fs/promises'
import type { WordPieceTokenizer } from '../classifiers/wordpiece.js'

/** The content of factuality.json. */
interface FactualityFile {
  readonly features: readonly string[]
  readonly mean: readonly number[]
  readonly scale: readonly number[]
  readonly weights: readonly number[]
  readonly bias: number
  /** The weight of the logit by which the model `claims` says that a claim is supported. */
  readonly crossEncoderWeight: number
  /** The number of texts in which stems were counted, and how many of them contain each stem. */
  readonly documents: number
  readonly frequency: Readonly<Record<string, number>>
  readonly vectors: { readonly dimensions: number; readonly scale: readonly number[] }
}

const unknownId = 100

/** Embeddings of words, frequencies of stems, and the regression over the features of claims. */
export class FactualityModel {
  private readonly documentFrequency: ReadonlyMap<string, number>

  constructor(
    readonly file: FactualityFile,
    private readonly embeddings: Int8Array,
    private readonly tokenizer: WordPieceTokenizer,
  ) {
    this.documentFrequency = new Map(Object.entries(file.frequency))
  }

  static async load(folder: URL, tokenizer: WordPieceTokenizer): Promise<FactualityModel> {
    const file = JSON.parse(await readFile(new URL('factuality.json', folder), 'utf8')) as FactualityFile
    const { buffer, byteOffset, length } = await readFile(new URL('factuality.vectors.bin', folder))
    return new FactualityModel(file, new Int8Array(buffer, byteOffset, length), tokenizer)
  }

  /** The logit that a claim is supported, by its features and the logit that a cross-encoder gives it, if one does. */
  supportLogit(features: readonly number[], crossEncoder = 0): number {
    const { mean, scale, weights, bias, crossEncoderWeight } = this.file
    return features.reduce(
      (total, value, at) => total + ((value - (mean[at] ?? 0)) / (scale[at] ?? 1)) * (weights[at] ?? 0),
      bias + crossEncoderWeight * crossEncoder,
    )
  }

  /** The inverse document frequency of a stem. */
  idf(stem: string): number {
    return Math.log((this.file.documents + 1) / ((this.documentFrequency.get(stem) ?? 0) + 0.5))
  }

  /** The normalised mean of the embeddings of a word's subwords. */
  embedding(word: string): Float32Array {
    const { dimensions, scale } = this.file.vectors
    const ids = this.tokenizer.idsOfText(word)
    const sum = new Float32Array(dimensions)
    for (const id of ids.length > 0 ? ids : [unknownId])
      for (let at = 0; at < dimensions; at += 1)
        sum[at] = (sum[at] ?? 0) + (this.embeddings[id * dimensions + at] ?? 0) * (scale[at] ?? 0)
    const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0)) + 1e-9
    return sum.map((value) => value / length)
  }
}
