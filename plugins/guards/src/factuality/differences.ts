import { isNumber, valuesIn } from './compared-words.js'
import type { ComparedWord } from './compared-words.js'
import { dateWords, antonyms, negations } from './lexicon.js'
import type { ReferenceSentence, Reference } from './reference.js'

/** The kind of a content word of a claim. */
export type Kind = 'number' | 'date' | 'name' | 'word'

/** A content word of a claim. */
export interface ClaimWord extends ComparedWord {
  readonly kind: Kind
  readonly weight: number
  /** Whether the reference contains it. */
  readonly inReference: boolean
}

/** A sentence that has a larger share of a claim is about the same thing. */
const minShared = 0.6
/** A smaller share of words that only one side negates is ignored, as the scope of a negation is an estimate. */
const ignoredNegationShare = 0.15

export const kindOf = ({ stem, word, isCapitalized }: ComparedWord, at: number): Kind =>
  isNumber(stem) ? 'number' : dateWords.has(word) ? 'date' : isCapitalized && at > 0 ? 'name' : 'word'

export const isSameTopic = (covered: number): boolean => covered > minShared

const negationCache = new WeakMap<ReferenceSentence, ReadonlyMap<string, ReadonlySet<boolean>>>()

/** For each stem of a sentence, whether its occurrences are negated: true, false or both. */
const negatedStems = (sentence: ReferenceSentence): ReadonlyMap<string, ReadonlySet<boolean>> => {
  const known = negationCache.get(sentence)
  if (known) return known
  const negatedByStem = new Map<string, Set<boolean>>()
  for (const word of sentence.words)
    negatedByStem.set(word.stem, (negatedByStem.get(word.stem) ?? new Set()).add(word.negated))
  negationCache.set(sentence, negatedByStem)
  return negatedByStem
}

type Sentences = readonly ReferenceSentence[]

/** The share of words, by weight, that only one side negates, beyond the share that is ignored. */
export const shareNegatedOnOneSide = (words: readonly ClaimWord[], sentences: Sentences, total: number): number => {
  const differing = words.filter(({ stem, negated }) => {
    const sentence = sentences.find(({ stems }) => stems.has(stem))
    const occurrences = sentence && negatedStems(sentence).get(stem)
    return occurrences !== undefined && !occurrences.has(negated)
  })
  return Math.max(0, differing.reduce((weight, word) => weight + word.weight, 0) / total - ignoredNegationShare)
}

/** The share of a claim that sentences must have for a sure denial. */
const minCovered = 0.8

/** Whether a claim denies what two sentences say, the first of which is about the same thing. */
export const denies = (words: readonly ClaimWord[], sentences: Sentences): boolean => {
  const said = words.filter(({ word }) => !negations.has(word))
  const weightIn = (among: Sentences) =>
    said.reduce((sum, { stem, weight }) => sum + (among.some(({ stems }) => stems.has(stem)) ? weight : 0), 0)
  const total = said.reduce((sum, { weight }) => sum + weight, 0) || 1
  return (
    isSameTopic(weightIn(sentences.slice(0, 1)) / total) &&
    weightIn(sentences) / total >= minCovered &&
    shareNegatedOnOneSide(said, sentences, total) > 0
  )
}

/** Whether a sentence has a number of a claim with another unit, and its unit with another number. */
export const swapsValues = (claim: readonly ComparedWord[], { values }: ReferenceSentence): boolean =>
  valuesIn(claim).some(({ number, unit }) => values.has(number) && values.has(unit) && !values.has(`${number} ${unit}`))

export const saysOpposite = (word: string, reference: Reference, sentences: Sentences): boolean => {
  const others = antonyms.get(word)
  return (
    others !== undefined &&
    !reference.wordSet.has(word) &&
    sentences.some(({ wordSet }) => [...others].some((one) => wordSet.has(one)))
  )
}

/**
 * High where a claim agrees with one sentence but for a name or number that the reference lacks: the similarity of the
 * claim's remaining words to the best sentence, by weight. 0 where the reference has all words of this kind.
 */
export const conflict = (words: readonly ClaimWord[], similarityToBest: readonly number[], kind: Kind): number => {
  const isMissing = (word: ClaimWord): boolean => word.kind === kind && !word.inReference
  if (!words.some(isMissing)) return 0
  let [covered, total] = [0, 0]
  for (const [at, word] of words.entries()) {
    if (isMissing(word)) continue
    covered += word.weight * (similarityToBest[at] ?? 0)
    total += word.weight
  }
  return total === 0 ? 0 : covered / total
}
