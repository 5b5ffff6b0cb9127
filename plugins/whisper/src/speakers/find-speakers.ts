import { maxOf } from '@sallyport/kit/lists'
import { normalised } from '@sallyport/kit/numbers'
import type { Step } from '../step-gate.js'
import { Linkage } from './linkage.js'
import { dot, mean } from './voice-vectors.js'
import type { Evidence, HeardVoices, VectorRules } from './voice-vectors.js'

const maxSpeakers = 10
/** Vectors that are clustered: of a longer recording, some from everywhere in it. */
const maxClustered = 1200
/** Independent vectors without which nobody is taken for a speaker: vowels of one voice differ for as long as that. */
const leastEvidence = 2.5
/** Rounds after which centroids hardly move any more. */
const rounds = 5

/**
 * How many speakers there are, and the centroids of their vectors, each of length 1. Groups come from clustering and are
 * made better by sharing the recording out anew; another speaker is taken up as long as the two that sound most alike
 * still differ.
 */
export const findSpeakers = async (
  heard: Pick<HeardVoices, 'vectors' | 'evidence'>,
  { sameVoice }: Pick<VectorRules, 'sameVoice'>,
  step: Step,
): Promise<Float32Array[]> => {
  const { vectors } = heard
  let found = vectors.length ? [centroidOf(vectors)] : []
  const clustered = sample(vectors, maxClustered)
  const linkage = await step(() => new Linkage(clustered))
  for (let count = 2; count <= Math.min(maxSpeakers, clustered.length); count += 1) {
    const evidence = await settled(heard, centroidsOf(clustered, linkage.cut(count)), step)
    if (evidence.length <= found.length) continue
    if (mostAlike(evidence) > (evidence.length === 2 ? sameVoice.second : sameVoice.further)) break
    found = evidence.map((of) => centroidOf(of.vectors))
  }
  return found
}

const sample = <Value>(values: readonly Value[], most: number): readonly Value[] =>
  values.length <= most ? values : values.filter((_, index) => (index * most) % values.length < most)

const centroidOf = (vectors: readonly Float32Array[]) => normalised(mean(vectors))

const centroidsOf = (vectors: readonly Float32Array[], labels: readonly number[]): Float32Array[] =>
  Array.from({ length: maxOf(labels) + 1 }, (_, label) =>
    centroidOf(vectors.filter((__, index) => labels[index] === label)),
  )

/** The windows of those of whom there is too little go to the others. */
const settled = async (
  heard: Pick<HeardVoices, 'evidence'>,
  first: readonly Float32Array[],
  step: Step,
): Promise<readonly Evidence[]> => {
  let centroids = first
  let evidence: readonly Evidence[] = []
  for (let round = 0; round < rounds; round += 1) {
    const shared = await step(() => heard.evidence(centroids))
    evidence = shared.filter(({ independent }) => independent >= leastEvidence)
    centroids = evidence.map(({ vectors }) => centroidOf(vectors))
  }
  return evidence
}

/**
 * The highest cosine of two centroids, as it would be with very many vectors: that of few ones is lower, for each of them
 * is off by its share of the spread. (The expected squared distance of two means is that of the true ones and the
 * variance of each.)
 */
const mostAlike = (evidence: readonly Evidence[]): number => {
  const means = evidence.map(({ vectors }) => mean(vectors))
  const lengths = means.map((one) => Math.max(dot(one, one), 1e-9))
  const directions = means.map(normalised)
  const spread = spreadOf(evidence, lengths)
  const variances = evidence.map(({ independent }, index) => spread / Math.max(1, independent) / (lengths[index] ?? 1))
  const likenesses = directions.flatMap((one, index) =>
    directions.slice(0, index).map((other, before) => {
      const distance = 2 - 2 * dot(one, other) - (variances[index] ?? 0) - (variances[before] ?? 0)
      return 1 - Math.max(0, distance) / 2
    }),
  )
  return maxOf(likenesses)
}

/** The variance of the vectors around their own mean, of all speakers together: few vectors alone do not show it. */
const spreadOf = (evidence: readonly Evidence[], squaredLengths: readonly number[]): number => {
  const deviations = evidence.map(({ vectors }, index) => vectors.length * (1 - (squaredLengths[index] ?? 0)))
  const freedom = evidence.map(({ vectors }) => vectors.length - 1)
  return total(deviations) / Math.max(total(freedom), 1e-9)
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
