/** What publishers call the labels that detectors look for. */

import { failure } from '@sallyport/core'
import { firstRepeated, maxOf } from '@sallyport/kit/lists'

export interface ScoredLabel {
  readonly label: string
  /** From 0 to 1. */
  readonly score: number
}

/** Other names of a label, in small letters, by the name that it has in this package. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  injection: ['jailbreak', 'malicious', 'prompt_injection', 'attack', 'unsafe'],
  toxicity: ['toxic', 'hate', 'hateful', 'offensive', 'abusive'],
  entailment: ['entailed', 'entails', 'supported', 'consistent'],
}

/** Where a classifier of two classes has no names for them, the second is what it looks for. */
const positiveOfTwo: readonly string[] = ['injection', 'toxicity']
/** Classes that models have beside a class, and that are looked for with it. */
const companions: Readonly<Record<string, readonly string[]>> = { injection: ['jailbreak'] }

const namelessLabels = ['label_0', 'label_1'] as const

/**
 * The score of a label among all scores of a text, by its name in any case or a name that publishers give it; undefined
 * where the model has none of these.
 */
export const scoreOfLabel = (scores: readonly ScoredLabel[], wanted: string): number | undefined => {
  const known = new Map(scores.map(({ label, score }) => [plainName(label), score]))
  const name = plainName(wanted)
  const [safe, unsafe] = namelessLabels
  const isNameless = known.size === 2 && known.has(safe) && known.has(unsafe)
  const names = [name, ...(otherNames[name] ?? []), ...(isNameless && positiveOfTwo.includes(name) ? [unsafe] : [])]
  const found = names.find((each) => known.has(each))
  return found === undefined
    ? undefined
    : maxOf([found, ...(companions[name] ?? [])].map((each) => known.get(each) ?? 0))
}

const plainName = (label: string): string => label.toLowerCase().replace(/[\s-]+/g, '_')

/** @param model its name, for messages @throws model_invalid where the model has no such label, or two that are read as one */
export const requiredScore = (scores: readonly ScoredLabel[], wanted: string, model: string): number => {
  const names = scores.map(({ label }) => label)
  const repeated = firstRepeated(names, plainName)
  if (repeated !== undefined) {
    const problem = `its label "${repeated}" is read as another of its labels is: rename one in its config.json`
    throw failure('model_invalid', { model, problem })
  }
  const score = scoreOfLabel(scores, wanted)
  if (score !== undefined) return score
  const shown = names.length > maxShown ? [...names.slice(0, maxShown), '…'] : names
  const listed = shown.join(', ') || 'none'
  const problem = `it has no label "${wanted}" (its labels: ${listed}): set the right one in the options of the detector`
  throw failure('model_invalid', { model, problem })
}

/** Labels in a message: some models have thousands. */
const maxShown = 20
