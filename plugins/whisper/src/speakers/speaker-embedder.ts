import type { RunStep } from '../step-scheduler.js'
import type { Turn } from './turns.js'

/** Computes speaker embeddings: those of one voice lie close to each other. */
export interface SpeakerEmbedder {
  readonly options: ClusteringOptions
  /** Embeddings of length 1. @param parts samples at 16 kHz; all parts have the same length */
  embed(parts: readonly Float32Array[]): Promise<Float32Array[]>
  release(): Promise<void>
}

/** How the embeddings of a model are computed and clustered. */
export interface ClusteringOptions {
  /** Samples of a sliding window, and from the start of one window to that of the next. */
  readonly window: number
  readonly hop: number
  /** The cosine of two centroids above which they are one speaker: for the second speaker, and for further ones. */
  readonly sameSpeakerThreshold: { readonly second: number; readonly further: number }
}

/** Embeddings that reliably belong to one speaker. */
export interface SpeakerEmbeddings {
  readonly embeddings: readonly Float32Array[]
  /** The equivalent number of windows without overlap: overlapping ones share their audio. */
  readonly effectiveCount: number
}

/** The voices of a recording. Speakers are given by the centroids of their embeddings. */
export interface VoiceAnalysis {
  readonly embeddings: readonly Float32Array[]
  speakerEmbeddings(centroids: readonly Float32Array[]): readonly SpeakerEmbeddings[]
  /** The turns in any order. */
  turns(centroids: readonly Float32Array[]): readonly Turn[]
}

/** Finds the parts of a recording with a voice, and their embeddings. */
export interface VoiceAnalyser {
  readonly options: ClusteringOptions
  /** @param samples of the whole recording at 16 kHz; they are not kept */
  analyse(samples: AsyncIterable<Float32Array>, runStep: RunStep): Promise<VoiceAnalysis>
  release(): Promise<void>
}

export const dot = (one: Float32Array, other: Float32Array): number => {
  let sum = 0
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0)
  return sum
}

/** The mean, which is not normalised: its length shows how much the vectors agree. */
export const mean = (vectors: readonly Float32Array[]): Float32Array => {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) vector.forEach((value, index) => (sum[index] = (sum[index] ?? 0) + value))
  return sum.map((value) => value / vectors.length)
}
