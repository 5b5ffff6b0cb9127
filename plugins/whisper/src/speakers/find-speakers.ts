import { maxOf } from '@sallyport/kit/lists'
import { normalised } from '@sallyport/kit/numbers'
import type { RunStep } from '../step-scheduler.js'
import { Linkage } from './linkage.js'
import { dot, mean } from './speaker-embedder.js'
import type { SpeakerEmbeddings, VoiceAnalysis, ClusteringOptions } from './speaker-embedder.js'

const maxSpeakers = 10
/** The maximum number of embeddings to cluster; those of longer recordings are sampled evenly. */
const maxClustered = 1200
/** The minimum of a speaker: with fewer embeddings, long vowels of one voice would look like another speaker. */
const minEffectiveCount = 2.5
/** The maximum of k-means iterations, after which centroids hardly move any more. */
const maxIterations = 5

/**
 * Finds the speakers: the centroids of their embeddings, each of length 1. The clusters are improved by k-means
 * iterations. Another speaker is accepted as long as the two most similar speakers still differ.
 */
export const findSpeakers = async (
  analysis: Pick<VoiceAnalysis, 'embeddings' | 'speakerEmbeddings'>,
  { sameSpeakerThreshold }: Pick<ClusteringOptions, 'sameSpeakerThreshold'>,
  runStep: RunStep,
): Promise<Float32Array[]> => {
  const { embeddings } = analysis
  let found = embeddings.length ? [centroidOf(embeddings)] : []
  const clustered = sample(embeddings, maxClustered)
  const linkage = await runStep(() => new Linkage(clustered))
  for (let count = 2; count <= Math.min(maxSpeakers, clustered.length); count += 1) {
    const speakers = await refineSpeakers(analysis, centroidsOf(clustered, linkage.cut(count)), runStep)
    if (speakers.length <= found.length) continue
    if (maxSimilarity(speakers) > (speakers.length === 2 ? sameSpeakerThreshold.second : sameSpeakerThreshold.further))
      break
    found = speakers.map(({ embeddings: own }) => centroidOf(own))
  }
  return found
}

const sample = <Value>(values: readonly Value[], max: number): readonly Value[] =>
  values.length <= max ? values : values.filter((_, index) => (index * max) % values.length < max)

const centroidOf = (embeddings: readonly Float32Array[]) => normalised(mean(embeddings))

const centroidsOf = (embeddings: readonly Float32Array[], labels: readonly number[]): Float32Array[] =>
  Array.from({ length: maxOf(labels) + 1 }, (_, label) =>
    centroidOf(embeddings.filter((__, index) => labels[index] === label)),
  )

/** Runs k-means; speakers with too few embeddings are dropped, and others get their windows. */
const refineSpeakers = async (
  analysis: Pick<VoiceAnalysis, 'speakerEmbeddings'>,
  first: readonly Float32Array[],
  runStep: RunStep,
): Promise<readonly SpeakerEmbeddings[]> => {
  let centroids = first
  let speakers: readonly SpeakerEmbeddings[] = []
  for (let iteration = 0; iteration < maxIterations; iteration += 1) {
    const candidates = await runStep(() => analysis.speakerEmbeddings(centroids))
    speakers = candidates.filter(({ effectiveCount }) => effectiveCount >= minEffectiveCount)
    centroids = speakers.map(({ embeddings }) => centroidOf(embeddings))
  }
  return speakers
}

/**
 * The highest cosine of two centroids, corrected to the value that it would have with very many embeddings. Means of
 * few embeddings lie further apart: their expected squared distance is that of the true means plus the variance of
 * each.
 */
const maxSimilarity = (speakers: readonly SpeakerEmbeddings[]): number => {
  const means = speakers.map(({ embeddings }) => mean(embeddings))
  const lengths = means.map((one) => Math.max(dot(one, one), 1e-9))
  const directions = means.map(normalised)
  const variance = pooledVariance(speakers, lengths)
  const variances = speakers.map(
    ({ effectiveCount }, index) => variance / Math.max(1, effectiveCount) / (lengths[index] ?? 1),
  )
  const similarities = directions.flatMap((one, index) =>
    directions.slice(0, index).map((other, before) => {
      const distance = 2 - 2 * dot(one, other) - (variances[index] ?? 0) - (variances[before] ?? 0)
      return 1 - Math.max(0, distance) / 2
    }),
  )
  return maxOf(similarities)
}

/** The variance of embeddings around their speaker's mean, pooled because some speakers have too few to estimate it. */
const pooledVariance = (speakers: readonly SpeakerEmbeddings[], squaredLengths: readonly number[]): number => {
  const deviations = speakers.map(({ embeddings }, index) => embeddings.length * (1 - (squaredLengths[index] ?? 0)))
  const degreesOfFreedom = speakers.map(({ embeddings }) => embeddings.length - 1)
  return total(deviations) / Math.max(total(degreesOfFreedom), 1e-9)
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
