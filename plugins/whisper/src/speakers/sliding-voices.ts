import { sampleRate } from '../samples.js'
import { speechRegions } from '../speech/speech-regions.js'
import type { SpeechRegion } from '../speech/speech-regions.js'
import type { VadModel } from '../speech/vad.js'
import type { RunStep } from '../step-scheduler.js'
import { smoothLabels } from './smooth-labels.js'
import type { Turn } from './turns.js'
import { dot } from './speaker-embedder.js'
import type { ClusteringOptions, SpeakerEmbedder, SpeakerEmbeddings } from './speaker-embedder.js'
import type { VoiceAnalyser, VoiceAnalysis } from './speaker-embedder.js'

/** The windows of a speech region. Times are seconds from the beginning of the recording. */
interface RegionWindows {
  readonly start: number
  readonly end: number
  readonly windows: readonly { readonly middle: number; readonly embedding: Float32Array }[]
}

/** Windows per step: 30 ms with GE2E, which is no faster with batches of up to 16. */
const batchSize = 4
/** A turn takes at least this many seconds within a region, because a single window often resembles another voice. */
const minTurnSeconds = 0.75
/** What a change of speakers must gain: a difference of cosines, times the seconds for which it lasts. */
const changeCost = 0.003

/** Analyses voices by windows that slide over speech; one person speaks at a time. */
export class SlidingVoices implements VoiceAnalyser {
  constructor(
    private readonly vad: VadModel,
    private readonly embedder: SpeakerEmbedder,
  ) {}

  get options(): ClusteringOptions {
    return this.embedder.options
  }

  async analyse(samples: AsyncIterable<Float32Array>, runStep: RunStep): Promise<VoiceAnalysis> {
    const { options, embedder } = this
    const regions: RegionWindows[] = []
    for await (const region of speechRegions(samples, this.vad.start(), runStep))
      regions.push(await slidingWindows(region, embedder, runStep))
    const allLabels = (centroids: readonly Float32Array[]) =>
      regions.map((region) => labelsOf(region, centroids, options.hop / sampleRate))
    return {
      embeddings: regions.flatMap(({ windows }) => windows.map(({ embedding }) => embedding)),
      speakerEmbeddings: (centroids) => speakerEmbeddingsOf(regions, allLabels(centroids), options, centroids.length),
      turns: (centroids) => allLabels(centroids).flatMap((labels, index) => turnsOf(regions[index], labels)),
    }
  }

  release(): Promise<void> {
    return this.embedder.release()
  }
}

/** The embeddings of the windows of a region; a region that is shorter than a window has one. */
const slidingWindows = async (
  { start, samples }: SpeechRegion,
  embedder: SpeakerEmbedder,
  runStep: RunStep,
): Promise<RegionWindows> => {
  const { window, hop } = embedder.options
  const length = Math.min(window, samples.length)
  const count = 1 + Math.ceil((samples.length - length) / hop)
  // the last window ends with the region
  const starts = Array.from({ length: count }, (_, index) => Math.min(index * hop, samples.length - length))
  const windows: { middle: number; embedding: Float32Array }[] = []
  for (let first = 0; first < count; first += batchSize) {
    const batch = starts.slice(first, first + batchSize)
    const embeddings = await runStep(() => embedder.embed(batch.map((from) => samples.subarray(from, from + length))))
    embeddings.forEach((embedding, index) =>
      windows.push({ middle: (start + (batch[index] ?? 0) + length / 2) / sampleRate, embedding }),
    )
  }
  return { start: start / sampleRate, end: (start + samples.length) / sampleRate, windows }
}

/** The speaker of each window. @param hopSeconds from one window to the next */
const labelsOf = ({ windows }: RegionWindows, centroids: readonly Float32Array[], hopSeconds: number): number[] =>
  smoothLabels(
    windows.map(({ embedding }) => centroids.map((centroid) => dot(embedding, centroid))),
    { minRun: Math.max(1, Math.round(minTurnSeconds / hopSeconds)), changeCost: changeCost / hopSeconds },
  )

/** Uses only windows that lie within one turn, because others may have two voices. */
const speakerEmbeddingsOf = (
  regions: readonly RegionWindows[],
  allLabels: readonly (readonly number[])[],
  { window, hop }: ClusteringOptions,
  speakers: number,
): SpeakerEmbeddings[] => {
  const margin = Math.floor(window / hop / 3)
  const result = Array.from({ length: speakers }, () => ({ embeddings: [] as Float32Array[], effectiveCount: 0 }))
  regions.forEach(({ windows }, at) => {
    const labels = allLabels[at] ?? []
    windows.forEach(({ embedding }, index) => {
      const own = result[labels[index] ?? 0]
      const around = labels.slice(Math.max(0, index - margin), index + margin + 1)
      if (!own || around.some((label) => label !== labels[index])) return
      own.effectiveCount += own.embeddings.at(-1) === windows[index - 1]?.embedding ? hop / window : 1
      own.embeddings.push(embedding)
    })
  })
  return result
}

/** A turn for each window: the time that is nearer to its middle than to those of its neighbours. */
const turnsOf = (region: RegionWindows | undefined, labels: readonly number[]): Turn[] => {
  const { windows, start, end } = region ?? { windows: [], start: 0, end: 0 }
  return windows.map(({ middle }, index): Turn => {
    const [before, after] = [windows[index - 1]?.middle, windows[index + 1]?.middle]
    return {
      start: before === undefined ? start : (before + middle) / 2,
      end: after === undefined ? end : (middle + after) / 2,
      speaker: labels[index] ?? 0,
    }
  })
}
