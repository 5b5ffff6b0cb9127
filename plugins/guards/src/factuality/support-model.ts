import type { Call } from '@sallyport/core'
import type { ScoredLabel } from '../classifiers/labels.js'
import type { Classifier } from '../models.js'
import type { ComparedWord } from './compared-words.js'
import type { Comparison } from './features.js'
import type { FactualityModel } from './model.js'
import type { Reference } from './reference.js'

/** A claim, and what a comparison of its words with the reference has found. */
export interface ComparedClaim {
  readonly text: string
  readonly words: readonly ComparedWord[]
  readonly comparison: Comparison
}

/** Support at which the score of a claim is 0.5, in logits. */
export interface OperatingPoint {
  readonly short: number
  readonly perDoubling: number
}

/** Says how sure it is that a reference supports claims. */
export interface SupportModel {
  /** What it is called in inspections. */
  readonly detector: string
  /** What it goes by, for people: "by …". */
  readonly means: string
  readonly operatingPoint: OperatingPoint
  /** For each claim the logit that the reference supports it. */
  supportLogits(claims: readonly ComparedClaim[], reference: Reference, call: Call): Promise<number[]>
}

/** The logit by the regression, and by a model where there is one; a claim that the words contradict has no support. */
export const supportByWords = (
  model: FactualityModel,
  { features, isContradicted }: Comparison,
  crossEncoder?: number,
): number => (isContradicted ? -Infinity : model.supportLogit(features, crossEncoder))

/** The regression over the words that a claim shares with its reference. */
export const lexicalSupport = (model: FactualityModel): SupportModel => ({
  detector: 'factuality-claims/1',
  means: 'their overlap with its sentences',
  operatingPoint: { short: -0.3, perDoubling: -0.6 },
  supportLogits: (claims) => Promise.resolve(claims.map(({ comparison }) => supportByWords(model, comparison))),
})

/** The maximum number of pairs in one call to a model: with more, other requests would wait. */
const maxBatchSize = 32

/** The labels that a model gives each pair of texts. */
export const labelsOfPairs = async (
  { model }: Classifier,
  pairs: readonly { readonly text: string; readonly pair: string }[],
  call: Call,
): Promise<(readonly ScoredLabel[])[]> => {
  const result: (readonly ScoredLabel[])[] = []
  for (let from = 0; from < pairs.length; from += maxBatchSize) {
    const inputs = pairs.slice(from, from + maxBatchSize)
    const { labels } = await model().classify({ inputs }, call)
    for (const index of inputs.keys()) result.push(labels[index] ?? [])
  }
  return result
}
