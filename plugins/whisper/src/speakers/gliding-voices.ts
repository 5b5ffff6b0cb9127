import { maxOf } from '@sallyport/kit/lists'
import { sampleRate } from '../samples.js'
import { speechStretches } from '../speech/stretches.js'
import type { Stretch } from '../speech/stretches.js'
import type { VoiceModel } from '../speech/voice.js'
import type { Step } from '../step-gate.js'
import type { Turn } from './turns.js'
import { dot } from './voice-vectors.js'
import type { Evidence, HeardVoices, VectorRules, VoiceSource, VoiceVectors } from './voice-vectors.js'

/** What is kept of a stretch of speech. Seconds from the beginning of the recording. */
interface SpokenStretch {
  readonly start: number
  readonly end: number
  readonly windows: readonly { readonly middle: number; readonly vector: Float32Array }[]
}

/** Windows whose vectors are computed in one step: 30 ms with GE2E, which takes as long for each of 16 at once. */
const atOnce = 4
/** Seconds whose windows together say who speaks in their middle: one window alone takes much for another voice. */
const smoothed = 0.75

/** Windows that glide over what the voice activity takes for speech. One speaks at a time. */
export class GlidingVoices implements VoiceSource {
  readonly rules: VectorRules

  constructor(
    private readonly voices: VoiceModel,
    private readonly vectors: VoiceVectors,
  ) {
    this.rules = vectors.rules
  }

  async hear(samples: AsyncIterable<Float32Array>, step: Step): Promise<HeardVoices> {
    const { rules, vectors } = this
    const stretches: SpokenStretch[] = []
    for await (const stretch of speechStretches(samples, this.voices.start(), step))
      stretches.push(await glidingWindows(stretch, vectors, step))
    const reach = Math.floor(Math.round((smoothed * sampleRate) / rules.hop) / 2)
    const labelsOf = (centroids: readonly Float32Array[]) =>
      stretches.map((stretch) => labels(stretch, centroids, reach))
    return {
      vectors: stretches.flatMap(({ windows }) => windows.map(({ vector }) => vector)),
      evidence: (centroids) => evidenceOf(stretches, labelsOf(centroids), rules, centroids.length),
      turns: (centroids) => labelsOf(centroids).flatMap((of, index) => turnsOf(stretches[index], of)),
    }
  }

  release(): Promise<void> {
    return this.vectors.release()
  }
}

/** Vectors of windows over a stretch; one that is shorter than a window has one vector. */
const glidingWindows = async ({ start, samples }: Stretch, model: VoiceVectors, step: Step): Promise<SpokenStretch> => {
  const { window, hop } = model.rules
  const length = Math.min(window, samples.length)
  const count = 1 + Math.ceil((samples.length - length) / hop)
  // the last one ends with the stretch
  const begins = Array.from({ length: count }, (_, index) => Math.min(index * hop, samples.length - length))
  const windows: { middle: number; vector: Float32Array }[] = []
  for (let first = 0; first < count; first += atOnce) {
    const some = begins.slice(first, first + atOnce)
    const vectors = await step(() => model.vectorsOf(some.map((begin) => samples.subarray(begin, begin + length))))
    vectors.forEach((vector, index) =>
      windows.push({ middle: (start + (some[index] ?? 0) + length / 2) / sampleRate, vector }),
    )
  }
  return { start: start / sampleRate, end: (start + samples.length) / sampleRate, windows }
}

/** The speaker of each window: its centroid fits the window and its neighbours best. @param reach neighbours on either side */
const labels = ({ windows }: SpokenStretch, centroids: readonly Float32Array[], reach: number): number[] => {
  const fits = windows.map(({ vector }) => centroids.map((centroid) => dot(vector, centroid)))
  return fits.map((_, at) => {
    const near = fits.slice(Math.max(0, at - reach), at + reach + 1)
    const sums = centroids.map((__, speaker) => near.reduce((sum, row) => sum + (row[speaker] ?? 0), 0))
    return sums.indexOf(maxOf(sums))
  })
}

/** Only windows tell that lie within a turn: others hear two voices. */
const evidenceOf = (
  stretches: readonly SpokenStretch[],
  labelled: readonly (readonly number[])[],
  { window, hop }: VectorRules,
  speakers: number,
): Evidence[] => {
  const margin = Math.floor(window / hop / 3)
  const evidence = Array.from({ length: speakers }, () => ({ vectors: [] as Float32Array[], independent: 0 }))
  stretches.forEach(({ windows }, at) => {
    const of = labelled[at] ?? []
    windows.forEach(({ vector }, index) => {
      const own = evidence[of[index] ?? 0]
      const around = of.slice(Math.max(0, index - margin), index + margin + 1)
      if (!own || around.some((label) => label !== of[index])) return
      own.independent += own.vectors.at(-1) === windows[index - 1]?.vector ? hop / window : 1
      own.vectors.push(vector)
    })
  })
  return evidence
}

/** A window speaks for the time that is nearer to its middle than to that of others. */
const turnsOf = (stretch: SpokenStretch | undefined, of: readonly number[]): Turn[] => {
  const { windows, start, end } = stretch ?? { windows: [], start: 0, end: 0 }
  return windows.map(({ middle }, index): Turn => {
    const [before, after] = [windows[index - 1]?.middle, windows[index + 1]?.middle]
    return {
      start: before === undefined ? start : (before + middle) / 2,
      end: after === undefined ? end : (middle + after) / 2,
      speaker: of[index] ?? 0,
    }
  })
}
