import { maxOf } from '@sallyport/kit/lists'
import type { Step } from '../model/step-gate.js'
import { Linkage } from './linkage.js'
import { dot, mean, unit } from './similarity.js'
import type { VectorRules } from './voice-vectors.js'

/** What surely is one speaker's. */
export interface Evidence {
  readonly vectors: readonly Float32Array[]
  /** How many vectors of a second and a half that have nothing in common say as much: neighbours share their sound. */
  readonly independent: number
}

/** Shares the recording out among speakers, who are known by the middles of their vectors. */
export type ShareOut = (middles: readonly Float32Array[]) => readonly Evidence[]

const mostSpeakers = 10
/** Vectors that are clustered: of a longer recording, some from everywhere in it. */
const mostClustered = 1200
/** Independent vectors without which nobody is taken for a speaker: vowels of one voice differ for as long as that. */
const leastEvidence = 2.5
/** Rounds after which middles hardly move any more. */
const rounds = 5

/**
 * How many speakers there are, and the middles of their vectors, each of length 1. Groups come from clustering and are
 * made better by sharing the recording out anew; another speaker is taken up as long as the two that sound most alike
 * still differ.
 */
export const findSpeakers = async (
  vectors: readonly Float32Array[],
  shareOut: ShareOut,
  { sameVoice }: Pick<VectorRules, 'sameVoice'>,
  step: Step,
): Promise<Float32Array[]> => {
  let found = vectors.length ? [unit(mean(vectors))] : []
  const clustered = sample(vectors, mostClustered)
  const linkage = await step(() => new Linkage(clustered))
  for (let count = 2; count <= Math.min(mostSpeakers, clustered.length); count += 1) {
    const evidence = await settled(middlesOf(clustered, linkage.cut(count)), shareOut, step)
    if (evidence.length <= found.length) continue
    if (mostAlike(evidence) > (evidence.length === 2 ? sameVoice.second : sameVoice.further)) break
    found = evidence.map((of) => unit(mean(of.vectors)))
  }
  return found
}

const sample = <Value>(values: readonly Value[], most: number): readonly Value[] =>
  values.length <= most ? values : values.filter((_, index) => (index * most) % values.length < most)

const middlesOf = (vectors: readonly Float32Array[], labels: readonly number[]): Float32Array[] =>
  Array.from({ length: maxOf(labels) + 1 }, (_, label) =>
    unit(mean(vectors.filter((__, index) => labels[index] === label))),
  )

/** Of which there is too little is shared out among the others. */
const settled = async (
  first: readonly Float32Array[],
  shareOut: ShareOut,
  step: Step,
): Promise<readonly Evidence[]> => {
  let middles = first
  let evidence: readonly Evidence[] = []
  for (let round = 0; round < rounds; round += 1) {
    const shared = await step(() => shareOut(middles))
    evidence = shared.filter(({ independent }) => independent >= leastEvidence)
    middles = evidence.map(({ vectors }) => unit(mean(vectors)))
  }
  return evidence
}

/**
 * The highest cosine of two middles, as it would be with very many vectors: that of few ones is lower, for each of them
 * is off by its share of the spread. (The expected squared distance of two means is that of the true ones and the
 * variance of each.)
 */
const mostAlike = (evidence: readonly Evidence[]): number => {
  const middles = evidence.map(({ vectors }) => mean(vectors))
  const lengths = middles.map((middle) => Math.max(dot(middle, middle), 1e-9))
  const directions = middles.map(unit)
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

/** The variance of the vectors around their own middle, of all speakers together: few vectors alone do not show it. */
const spreadOf = (evidence: readonly Evidence[], squaredLengths: readonly number[]): number => {
  const deviations = evidence.map(({ vectors }, index) => vectors.length * (1 - (squaredLengths[index] ?? 0)))
  const freedom = evidence.map(({ vectors }) => vectors.length - 1)
  return total(deviations) / Math.max(total(freedom), 1e-9)
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
