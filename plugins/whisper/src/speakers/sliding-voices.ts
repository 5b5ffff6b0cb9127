import { maxOf } from '@sallyport/kit/lists'
import { sampleRate } from '../samples.js'
import { speechStretches } from '../speech/stretches.js'
import type { Stretch } from '../speech/stretches.js'
import type { VadModel } from '../speech/vad.js'
import type { Step } from '../step-gate.js'
import type { Turn } from './turns.js'
import { dot } from './voice-vectors.js'
import type { Evidence, VoiceAnalysis, VectorRules, VoiceAnalyser, VoiceVectors } from './voice-vectors.js'

/** The windows of a stretch of speech. Times are seconds from the beginning of the recording. */
interface SpokenStretch {
  readonly start: number
  readonly end: number
  readonly windows: readonly { readonly middle: number; readonly vector: Float32Array }[]
}

/** Windows per step: 30 ms with GE2E, which is no faster with batches of up to 16. */
const batchSize = 4
/** Seconds over which the scores of windows are summed, for a single window often resembles another voice. */
const smoothingSeconds = 0.75

/** Analyses voices by windows that slide over speech; one person speaks at a time. */
export class SlidingVoices implements VoiceAnalyser {
  readonly rules: VectorRules

  constructor(
    private readonly vad: VadModel,
    private readonly vectors: VoiceVectors,
  ) {
    this.rules = vectors.rules
  }

  async analyse(samples: AsyncIterable<Float32Array>, step: Step): Promise<VoiceAnalysis> {
    const { rules, vectors } = this
    const stretches: SpokenStretch[] = []
    for await (const stretch of speechStretches(samples, this.vad.start(), step))
      stretches.push(await slidingWindows(stretch, vectors, step))
    const reach = Math.floor(Math.round((smoothingSeconds * sampleRate) / rules.hop) / 2)
    const allLabels = (centroids: readonly Float32Array[]) =>
      stretches.map((stretch) => labelsOf(stretch, centroids, reach))
    return {
      vectors: stretches.flatMap(({ windows }) => windows.map(({ vector }) => vector)),
      evidence: (centroids) => evidenceOf(stretches, allLabels(centroids), rules, centroids.length),
      turns: (centroids) => allLabels(centroids).flatMap((of, index) => turnsOf(stretches[index], of)),
    }
  }

  release(): Promise<void> {
    return this.vectors.release()
  }
}

/** Vectors of the windows of a stretch; a stretch that is shorter than a window has one vector. */
const slidingWindows = async ({ start, samples }: Stretch, model: VoiceVectors, step: Step): Promise<SpokenStretch> => {
  const { window, hop } = model.rules
  const length = Math.min(window, samples.length)
  const count = 1 + Math.ceil((samples.length - length) / hop)
  // the last window ends with the stretch
  const begins = Array.from({ length: count }, (_, index) => Math.min(index * hop, samples.length - length))
  const windows: { middle: number; vector: Float32Array }[] = []
  for (let first = 0; first < count; first += batchSize) {
    const some = begins.slice(first, first + batchSize)
    const vectors = await step(() => model.vectorsOf(some.map((begin) => samples.subarray(begin, begin + length))))
    vectors.forEach((vector, index) =>
      windows.push({ middle: (start + (some[index] ?? 0) + length / 2) / sampleRate, vector }),
    )
  }
  return { start: start / sampleRate, end: (start + samples.length) / sampleRate, windows }
}

/**
 * The speaker of each window: its centroid fits the window and its neighbours best.
 * @param reach neighbours on either side
 */
const labelsOf = ({ windows }: SpokenStretch, centroids: readonly Float32Array[], reach: number): number[] => {
  const fits = windows.map(({ vector }) => centroids.map((centroid) => dot(vector, centroid)))
  return fits.map((_, at) => {
    const near = fits.slice(Math.max(0, at - reach), at + reach + 1)
    const sums = centroids.map((__, speaker) => near.reduce((sum, row) => sum + (row[speaker] ?? 0), 0))
    return sums.indexOf(maxOf(sums))
  })
}

/** Uses windows that lie within a turn only, for others may have two voices. */
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

/** Each window stands for the time that is nearer to its middle than to that of its neighbours. */
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
