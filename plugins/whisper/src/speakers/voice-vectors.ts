import type { Step } from '../step-gate.js'
import type { Turn } from './turns.js'

/** Turns what a voice says into a vector of its sound: vectors of one voice lie close to each other. */
export interface VoiceVectors {
  readonly rules: VectorRules
  /**
   * Vectors of length 1, one for each part, in the order of the parts.
   * @param parts samples at 16 kHz, as many in each part
   */
  vectorsOf(parts: readonly Float32Array[]): Promise<Float32Array[]>
  release(): Promise<void>
}

/** How the vectors of a model are used. */
export interface VectorRules {
  /** Samples of the windows that glide over speech, and from the beginning of one to that of the next. */
  readonly window: number
  readonly hop: number
  /** Cosine of two centroids above which both are one voice: for the second voice found, and for more. */
  readonly sameVoice: { readonly second: number; readonly further: number }
}

/** What surely is one speaker's. */
export interface Evidence {
  readonly vectors: readonly Float32Array[]
  /** How many vectors of a second and a half that have nothing in common say as much: neighbours share their sound. */
  readonly independent: number
}

/** What is kept of a recording. Speakers are known by the centroids of their vectors. */
export interface HeardVoices {
  readonly vectors: readonly Float32Array[]
  /** What surely is each speaker's. */
  evidence(centroids: readonly Float32Array[]): readonly Evidence[]
  /** The turns in any order. */
  turns(centroids: readonly Float32Array[]): readonly Turn[]
}

/** Finds the parts of a recording in which a voice is heard, and their vectors. */
export interface VoiceSource {
  readonly rules: VectorRules
  /** @param samples of the whole recording at 16 kHz; they are not kept */
  hear(samples: AsyncIterable<Float32Array>, step: Step): Promise<HeardVoices>
  release(): Promise<void>
}

export const dot = (one: Float32Array, other: Float32Array): number => {
  let sum = 0
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0)
  return sum
}

/** The mean of vectors, which is shorter than they are where they point into different directions. */
export const mean = (vectors: readonly Float32Array[]): Float32Array => {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) vector.forEach((value, index) => (sum[index] = (sum[index] ?? 0) + value))
  return sum.map((value) => value / vectors.length)
}
