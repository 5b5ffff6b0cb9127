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
  /** Cosine of two middles of groups above which both are one voice: for the second voice found, and for more. */
  readonly sameVoice: { readonly second: number; readonly further: number }
}

/** Samples a second of all that is looked at for speakers. */
export const rate = 16_000
