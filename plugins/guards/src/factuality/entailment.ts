import type { Call } from '@sallyport/core'
import { requiredScore } from '../classifiers/labels.js'
import type { ScoredLabel } from '../classifiers/labels.js'
import type { Classifier } from '../models.js'
import { logit } from '../scoring.js'
import type { Reference } from './reference.js'
import { labelsOfPairs } from './support-model.js'
import type { ComparedClaim, SupportModel } from './support-model.js'

/**
 * The UTF-16 code units of a reference that the model reads with one claim: some 300 tokens of English, beside which a
 * claim has room in a model of 512.
 */
const maxPremise = 1200
/** The UTF-16 code units of a claim that the model reads: the end of a longer one would be cut off, so none supports it. */
const maxClaim = 600

/** A model that says whether one text follows from another (natural language inference). */
export class EntailmentModel implements SupportModel {
  readonly detector = 'factuality-entailment/1'
  readonly means: string
  readonly operatingPoint = { short: 0, perDoubling: 0 }

  private constructor(
    private readonly classifier: Classifier,
    private readonly label: string,
  ) {
    this.means = `the model ${classifier.name}`
  }

  /** @param scores what the model has said of some pair @throws model_invalid where it lacks the label */
  static of(classifier: Classifier, label: string, scores: readonly ScoredLabel[]): EntailmentModel {
    requiredScore(scores, label, classifier.name)
    return new EntailmentModel(classifier, label)
  }

  async supportLogits(claims: readonly ComparedClaim[], reference: Reference, call: Call): Promise<number[]> {
    const pairs = claims.map(({ text, comparison: { closest } }) => ({
      text: premiseOf(reference, closest),
      pair: text,
    }))
    const labels = await labelsOfPairs(this.classifier, pairs, call)
    return pairs.map(({ pair }, index) => (pair.length > maxClaim ? logit(0) : this.logitOf(labels[index] ?? [])))
  }

  private logitOf(scores: readonly ScoredLabel[]): number {
    return logit(requiredScore(scores, this.label, this.classifier.name))
  }
}

/** What the model reads of a reference: all of a short one, or else the closest sentences with those around them. */
export const premiseOf = ({ text, sentences }: Reference, closest: readonly number[]): string => {
  if (text.length <= maxPremise) return text
  const centres = closest.length > 0 ? closest : [0]
  const chosen = new Set(centres)
  let room = maxPremise - lengthOf(sentences, chosen)
  for (let distance = 1; distance < sentences.length; distance += 1) {
    const around = centres.flatMap((centre) => [centre + distance, centre - distance])
    const next = around.filter((index) => sentences[index] && !chosen.has(index))
    for (const index of next) {
      room -= lengthOf(sentences, [index])
      if (room < 0) return joined(text, sentences, chosen)
      chosen.add(index)
    }
  }
  return joined(text, sentences, chosen)
}

type Sentences = Reference['sentences']

const lengthOf = (sentences: Sentences, indices: Iterable<number>): number => {
  let length = 0
  for (const index of indices) length += (sentences[index]?.end ?? 0) - (sentences[index]?.start ?? 0) + 1
  return length
}

const joined = (text: string, sentences: Sentences, indices: Iterable<number>): string =>
  [...indices]
    .sort((a, b) => a - b)
    .flatMap((index) => sentences[index] ?? [])
    .map(({ start, end }) => text.slice(start, Math.min(end, start + maxPremise)))
    .join(' ')
