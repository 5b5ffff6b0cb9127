import type { Step } from '../model/step-gate.js'
import type { Stretch } from '../speech/stretches.js'
import { rate } from './voice-vectors.js'
import type { VoiceVectors } from './voice-vectors.js'

/** What is kept of a stretch of speech. Seconds from the beginning of the recording. */
export interface SpokenStretch {
  readonly start: number
  readonly end: number
  readonly windows: readonly { readonly middle: number; readonly vector: Float32Array }[]
}

/** Windows whose vectors are computed in one step: 30 ms with GE2E, which takes as long for each of 16 at once. */
const atOnce = 4

/** Vectors of windows over a stretch; one that is shorter than a window has one vector. */
export const glidingWindows = async (
  { start, samples }: Stretch,
  model: VoiceVectors,
  step: Step,
): Promise<SpokenStretch> => {
  const { window, hop } = model.rules
  const length = Math.min(window, samples.length)
  const count = 1 + Math.ceil((samples.length - length) / hop)
  // the last one ends with the stretch
  const begins = Array.from({ length: count }, (_, index) => Math.min(index * hop, samples.length - length))
  const windows: { middle: number; vector: Float32Array }[] = []
  for (let first = 0; first < count; first += atOnce) {
    const some = begins.slice(first, first + atOnce)
    const parts = some.map((begin) => samples.subarray(begin, begin + length))
    const vectors = await step(() => model.vectorsOf(parts))
    vectors.forEach((vector, index) =>
      windows.push({ middle: (start + (some[index] ?? 0) + length / 2) / rate, vector }),
    )
  }
  return { start: start / rate, end: (start + samples.length) / rate, windows }
}
