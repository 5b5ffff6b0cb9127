import { minOf } from '@sallyport/kit/lists'
import type { Claim } from '@sallyport/core'
import type { ComparedWord } from './compared-words.js'
import {
  conflict,
  denies,
  isSameTopic,
  kindOf,
  saysOpposite,
  shareNegatedOnOneSide,
  swapsValues,
} from './differences.js'
import type { ClaimWord } from './differences.js'
import { dateWords } from './lexicon.js'
import type { WordSimilarity } from './word-similarity.js'
import { maxPassageWeight, orderFeatures, shareOf } from './order.js'
import type { ReferenceSentence, Reference } from './reference.js'
import type { FactualityModel } from './model.js'

/** In which respects a claim differs from its reference. */
export type Differences = Readonly<Record<Claim['differences'][number], boolean>>

export interface Comparison {
  /** Values in the order of the model's features; see training/claims.py. */
  readonly features: readonly number[]
  readonly differences: Differences
  /** Whether the words are enough to say that the reference contradicts the claim. */
  readonly isContradicted: boolean
  /** Indices of the sentences of the reference that cover most of the claim, if any do; they may contradict it. */
  readonly closest: readonly number[]
}

const sameRootSimilarity = 0.9

export const compare = (
  claim: readonly ComparedWord[],
  reference: Reference,
  model: FactualityModel,
  similarity: WordSimilarity,
): Comparison => {
  const contentWords = contentWordsOf(claim, reference, model)
  const closest = closestSentencesOf(contentWords, reference)
  const contradictions = contradictionsIn(claim, contentWords, reference, closest)
  const similarities = similarityFeatures(contentWords, reference, closest, similarity)
  const features = [
    ...coverageFeatures(contentWords, closest),
    ...orderFeatures(claim, contentWords, reference),
    ...missingFeatures(contentWords, claim, reference),
    contradictions.negationMismatch,
    Number(contradictions.opposite),
    ...similarities.features,
    ...verbAndNumberFeatures(contentWords, closest),
    conflict(contentWords, similarities.similarityToBest, 'name'),
    conflict(contentWords, similarities.similarityToBest, 'number'),
    Number(contradictions.sameTopic && contradictions.date),
    maxPassageWeight(contentWords, reference) / (weightOf(contentWords) || 1),
  ]
  const indices = [closest.best, closest.second]
    .filter(({ coveredWeight }) => coveredWeight > 0)
    .map(({ index }) => index)
  return {
    features,
    differences: differencesOf(contentWords, contradictions),
    isContradicted: contradictions.denial || contradictions.swap,
    closest: [...new Set(indices)],
  }
}

const contentWordsOf = (claim: readonly ComparedWord[], reference: Reference, model: FactualityModel): ClaimWord[] =>
  claim.flatMap((word, at) =>
    word.isContent
      ? [{ ...word, kind: kindOf(word, at), weight: model.idf(word.stem), inReference: reference.has(word.stem) }]
      : [],
  )

const weightOf = (contentWords: readonly ClaimWord[]): number => sum(contentWords.map(({ weight }) => weight))

/** The sentence that covers most of a claim, and the one that covers most of the rest. */
interface ClosestSentences {
  readonly best: CoveringSentence
  readonly second: CoveringSentence
}

interface CoveringSentence {
  readonly index: number
  readonly coveredWeight: number
  readonly sentence: ReferenceSentence
}

const closestSentencesOf = (contentWords: readonly ClaimWord[], reference: Reference): ClosestSentences => {
  const bestOf = (words: readonly ClaimWord[]): CoveringSentence => {
    const best = reference.best(
      words.map(({ stem }) => stem),
      words.map(({ weight }) => weight),
    )
    return { ...best, sentence: sentenceAt(reference, best.index) }
  }
  const best = bestOf(contentWords)
  return { best, second: bestOf(contentWords.filter(({ stem }) => !best.sentence.stems.has(stem))) }
}

interface Contradictions {
  /** Whether one sentence covers enough of the claim for both to be about the same thing. */
  readonly sameTopic: boolean
  /** See {@link shareNegatedOnOneSide}; 0 where the topics differ. */
  readonly negationMismatch: number
  readonly opposite: boolean
  /** See {@link denies} and {@link swapsValues}. */
  readonly denial: boolean
  readonly swap: boolean
  readonly date: boolean
}

/** With them, `not` does not deny what is said without it: nothing may be done without leave, or only with it. */
const limits = new Set('only without unless except until more less fewer least most'.split(' '))
const isLimited = (words: readonly ComparedWord[]): boolean => words.some(({ word }) => limits.has(word))

const contradictionsIn = (
  claim: readonly ComparedWord[],
  contentWords: readonly ClaimWord[],
  reference: Reference,
  { best, second }: ClosestSentences,
): Contradictions => {
  const total = weightOf(contentWords) || 1
  const sameTopic = isSameTopic(best.coveredWeight / total)
  const sentences = [best.sentence, second.sentence]
  return {
    sameTopic,
    negationMismatch: sameTopic ? shareNegatedOnOneSide(contentWords, sentences, total) : 0,
    opposite: sameTopic && claim.some(({ word }) => saysOpposite(word, reference, sentences)),
    denial: !isLimited(claim) && !isLimited(best.sentence.words) && denies(contentWords, sentences),
    swap: swapsValues(claim, best.sentence),
    date: claim.some(({ word }) => dateWords.has(word) && !reference.wordSet.has(word)),
  }
}

const differencesOf = (contentWords: readonly ClaimWord[], contradictions: Contradictions): Differences => ({
  number: contradictions.swap || contentWords.some(({ kind, inReference }) => kind === 'number' && !inReference),
  name: contentWords.some(({ kind, inReference }) => kind === 'name' && !inReference),
  date: contradictions.date,
  negation: contradictions.denial || contradictions.negationMismatch > 0,
  opposite: contradictions.opposite,
})

/** The shares of a claim that the reference and its best sentences cover. */
const coverageFeatures = (contentWords: readonly ClaimWord[], { best, second }: ClosestSentences): number[] => {
  const all = weightOf(contentWords)
  return [
    all === 0 ? 1 : weightOf(contentWords.filter(({ inReference }) => inReference)) / all,
    shareOf(contentWords.map(({ inReference }) => inReference)),
    best.coveredWeight / (all || 1),
    (best.coveredWeight + second.coveredWeight) / (all || 1),
  ]
}

/** Numbers, names and dates that are missing from the reference. */
const missingFeatures = (
  contentWords: readonly ClaimWord[],
  claim: readonly ComparedWord[],
  reference: Reference,
): number[] => {
  const [numbers, names] = (['number', 'name'] as const).map((kind) =>
    contentWords.filter((word) => word.kind === kind),
  )
  const missingCount = (words: readonly ClaimWord[] = []): number =>
    words.filter(({ inReference }) => !inReference).length
  return [
    missingCount(numbers),
    Math.min(1, missingCount(numbers)),
    missingCount(names) / Math.max(1, names?.length ?? 0),
    Math.min(1, missingCount(names)),
    Number(claim.some(({ word }) => dateWords.has(word) && !reference.wordSet.has(word))),
  ]
}

/** How much of the claim the reference says, in the same or other words. */
const similarityFeatures = (
  words: readonly ClaimWord[],
  reference: Reference,
  { best: { sentence } }: ClosestSentences,
  similarity: WordSimilarity,
) => {
  const total = weightOf(words) || 1
  const similarityToReference = words.map((word) =>
    word.inReference ? 1 : similarityTo(word, reference.positions, reference, () => similarity.toReference(word.word)),
  )
  const similarityToBest = words.map((word) =>
    sentence.stems.has(word.stem)
      ? 1
      : similarityTo(word, sentence.stems, reference, () => similarity.toSentence(word.word, sentence.contentWords)),
  )
  const missing = words.map(({ weight }, at) => weight * (1 - (similarityToReference[at] ?? 0))).sort((a, b) => b - a)
  const average = (similarities: readonly number[]): number =>
    sum(words.map(({ weight }, at) => weight * (similarities[at] ?? 0))) / total
  const averages = [average(similarityToReference), average(similarityToBest)]
  return {
    similarityToBest,
    features: [...averages, minOf(similarityToReference, 1), missing[0] ?? 0, sum(missing), missing[1] ?? 0],
  }
}

const verbAndNumberFeatures = (contentWords: readonly ClaimWord[], { best, second }: ClosestSentences): number[] => {
  // words with an ending of verbs; some nouns have it, too
  const verbLike = contentWords.filter(({ word, isLowercase }) => isLowercase && /(?:ed|ing|s)$/.test(word))
  const numbers = contentWords.filter(({ kind }) => kind === 'number')
  return [
    verbLike.length > 0 ? 1 - shareOf(verbLike.map(({ inReference }) => inReference)) : 0,
    numbers.length > 0
      ? shareOf(numbers.map(({ stem }) => [best, second].some(({ sentence }) => sentence.stems.has(stem))))
      : 1,
  ]
}

const sentenceAt = ({ sentences }: Reference, index: number): ReferenceSentence =>
  sentences[index] ?? {
    start: 0,
    end: 0,
    words: [],
    stems: new Set(),
    wordSet: new Set(),
    contentWords: new Set(),
    values: new Set(),
  }

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/**
 * The similarity of a missing word to these stems of the reference: 0 for numbers and dates, and for names, unless the
 * stems have the name with another ending.
 * @param nearest returns the similarity to the nearest word, by embeddings
 */
const similarityTo = (
  { stem, kind }: ClaimWord,
  stems: { has(stem: string): boolean },
  reference: Reference,
  nearest: () => number,
): number => {
  if (kind === 'number' || kind === 'date') return 0
  if (reference.stemsLike(stem).some((other) => stems.has(other) && areRelated(stem, other))) return sameRootSimilarity
  return kind === 'name' ? 0 : nearest()
}

/** Whether stems differ only in their endings: visit, visitor. */
const areRelated = (one: string, other: string): boolean => {
  const [short = '', long = ''] = [one, other].sort((a, b) => a.length - b.length)
  return short.length >= 5 && long.length - short.length <= 5 && long.startsWith(short.slice(0, -1))
}
