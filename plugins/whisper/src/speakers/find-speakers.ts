import { maxOf } from '@sallyport/kit/lists'
import { normalised } from '@sallyport/kit/numbers'
import type { Step } from '../step-gate.js'
import { Linkage } from './linkage.js'
import { dot, mean } from './voice-vectors.js'
import type { Evidence, VoiceAnalysis, VectorRules } from './voice-vectors.js'

const maxSpeakers = 10
/** Max vectors to cluster; those of longer recordings are sampled evenly. */
const maxClustered = 1200
/** Min independent vectors of a speaker: vowels of one voice may differ for as long as that. */
const minEvidence = 2.5
/** K-means rounds, after which centroids hardly move any more. */
const rounds = 5

/**
 * Finds the speakers: the centroids of their vectors, each of length 1. Clustering gives the groups, which rounds of
 * reassignment improve. Another speaker is accepted as long as the two most similar speakers still differ.
 */
export const findSpeakers = async (
  analysis: Pick<VoiceAnalysis, 'vectors' | 'evidence'>,
  { sameVoice }: Pick<VectorRules, 'sameVoice'>,
  step: Step,
): Promise<Float32Array[]> => {
  const { vectors } = analysis
  let found = vectors.length ? [centroidOf(vectors)] : []
  const clustered = sample(vectors, maxClustered)
  const linkage = await step(() => new Linkage(clustered))
  for (let count = 2; count <= Math.min(maxSpeakers, clustered.length); count += 1) {
    const evidence = await settle(analysis, centroidsOf(clustered, linkage.cut(count)), step)
    if (evidence.length <= found.length) continue
    if (maxSimilarity(evidence) > (evidence.length === 2 ? sameVoice.second : sameVoice.further)) break
    found = evidence.map((of) => centroidOf(of.vectors))
  }
  return found
}

const sample = <Value>(values: readonly Value[], max: number): readonly Value[] =>
  values.length <= max ? values : values.filter((_, index) => (index * max) % values.length < max)

const centroidOf = (vectors: readonly Float32Array[]) => normalised(mean(vectors))

const centroidsOf = (vectors: readonly Float32Array[], labels: readonly number[]): Float32Array[] =>
  Array.from({ length: maxOf(labels) + 1 }, (_, label) =>
    centroidOf(vectors.filter((__, index) => labels[index] === label)),
  )

/** Reassigns windows to centroids; speakers with too little evidence are dropped, and others get their windows. */
const settle = async (
  analysis: Pick<VoiceAnalysis, 'evidence'>,
  first: readonly Float32Array[],
  step: Step,
): Promise<readonly Evidence[]> => {
  let centroids = first
  let evidence: readonly Evidence[] = []
  for (let round = 0; round < rounds; round += 1) {
    const shared = await step(() => analysis.evidence(centroids))
    evidence = shared.filter(({ independent }) => independent >= minEvidence)
    centroids = evidence.map(({ vectors }) => centroidOf(vectors))
  }
  return evidence
}

/**
 * The highest cosine of two centroids, corrected to the value that it would have with very many vectors. Means of few
 * vectors lie further apart: their expected squared distance is that of the true means plus the variance of each.
 */
const maxSimilarity = (evidence: readonly Evidence[]): number => {
  const means = evidence.map(({ vectors }) => mean(vectors))
  const lengths = means.map((one) => Math.max(dot(one, one), 1e-9))
  const directions = means.map(normalised)
  const spread = spreadOf(evidence, lengths)
  const variances = evidence.map(({ independent }, index) => spread / Math.max(1, independent) / (lengths[index] ?? 1))
  const similarities = directions.flatMap((one, index) =>
    directions.slice(0, index).map((other, before) => {
      const distance = 2 - 2 * dot(one, other) - (variances[index] ?? 0) - (variances[before] ?? 0)
      return 1 - Math.max(0, distance) / 2
    }),
  )
  return maxOf(similarities)
}

/** The variance of vectors around their speaker's mean, pooled over speakers: some have too few to estimate it. */
const spreadOf = (evidence: readonly Evidence[], squaredLengths: readonly number[]): number => {
  const deviations = evidence.map(({ vectors }, index) => vectors.length * (1 - (squaredLengths[index] ?? 0)))
  const freedom = evidence.map(({ vectors }) => vectors.length - 1)
  return total(deviations) / Math.max(total(freedom), 1e-9)
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
