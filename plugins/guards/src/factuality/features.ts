import { minOf } from '@sallyport/kit/lists'
import type { Claim } from '@sallyport/core'
import type { ComparedWord } from './comparable.js'
import { conflict, denied, isAbout, kindOf, saysOpposite } from './differences.js'
import type { ClaimWord } from './differences.js'
import { dateWords } from './lexicon.js'
import type { WordSimilarity } from './word-similarity.js'
import { densest, orderFeatures, shareOf } from './order.js'
import type { ReferenceSentence, Reference } from './reference.js'
import type { WordTable } from './word-table.js'

/** What a claim says that its reference does not say, or contradicts. */
export type Differences = Readonly<Record<Claim['differences'][number], boolean>>

export interface Comparison {
  /** Values in the order of the model's features; see training/claims.py. */
  readonly features: readonly number[]
  readonly differences: Differences
  /** Indices of the reference sentences that support the claim most; empty where none does. */
  readonly support: readonly number[]
}

/** The similarity of words with the same root. */
const sameRootSimilarity = 0.9

export const compare = (
  claim: readonly ComparedWord[],
  reference: Reference,
  table: WordTable,
  nearness: WordSimilarity,
): Comparison => {
  const content = contentOf(claim, reference, table)
  const support = supportOf(content, reference)
  const differing = contradictionsIn(claim, content, reference, support)
  const near = similarityFeatures(content, reference, support, nearness)
  const features = [
    ...coverageFeatures(content, support),
    ...orderFeatures(claim, content, reference),
    ...missingFeatures(content, claim, reference),
    differing.polarity,
    Number(differing.opposite),
    ...near.features,
    ...verbsAndNumbers(content, support),
    conflict(content, near.inBest, 'name'),
    conflict(content, near.inBest, 'number'),
    Number(differing.about && differing.date),
    densest(content, reference) / (weightOf(content) || 1),
  ]
  const places = [support.first, support.second].filter(({ gain }) => gain > 0).map(({ index }) => index)
  return { features, differences: differencesOf(content, differing), support: [...new Set(places)] }
}

const contentOf = (claim: readonly ComparedWord[], reference: Reference, table: WordTable): ClaimWord[] =>
  claim.flatMap((word, at) =>
    word.content
      ? [{ ...word, kind: kindOf(word, at), weight: table.weight(word.stem), inReference: reference.has(word.stem) }]
      : [],
  )

const weightOf = (content: readonly ClaimWord[]): number => sum(content.map(({ weight }) => weight))

/** The sentence that covers most of a claim, and the one that covers most of the rest. */
interface Support {
  readonly first: { readonly index: number; readonly gain: number }
  readonly second: { readonly index: number; readonly gain: number }
  readonly best: ReferenceSentence
  readonly other: ReferenceSentence
}

const supportOf = (content: readonly ClaimWord[], reference: Reference): Support => {
  const bestOf = (words: readonly ClaimWord[]) =>
    reference.best(
      words.map(({ stem }) => stem),
      words.map(({ weight }) => weight),
    )
  const first = bestOf(content)
  const best = sentenceAt(reference, first.index)
  const second = bestOf(content.filter(({ stem }) => !best.stems.has(stem)))
  return { first, second, best, other: sentenceAt(reference, second.index) }
}

interface Contradictions {
  /** Whether one sentence covers so much of the claim that both are about the same thing. */
  readonly about: boolean
  readonly polarity: number
  readonly opposite: boolean
  readonly date: boolean
}

const contradictionsIn = (
  claim: readonly ComparedWord[],
  content: readonly ClaimWord[],
  reference: Reference,
  { first, best, other }: Support,
): Contradictions => {
  const total = weightOf(content) || 1
  const about = isAbout(first.gain / total)
  return {
    about,
    polarity: about ? denied(content, [best, other], total) : 0,
    opposite: about && claim.some(({ word }) => saysOpposite(word, reference, [best, other])),
    date: claim.some(({ word }) => dateWords.has(word) && !reference.words.has(word)),
  }
}

const differencesOf = (content: readonly ClaimWord[], { polarity, opposite, date }: Contradictions): Differences => ({
  number: content.some(({ kind, inReference }) => kind === 'number' && !inReference),
  name: content.some(({ kind, inReference }) => kind === 'name' && !inReference),
  date,
  negation: polarity > 0,
  opposite,
})

/** The shares of a claim that the reference and its best sentences cover. */
const coverageFeatures = (content: readonly ClaimWord[], { first, second }: Support): number[] => {
  const all = weightOf(content)
  return [
    all === 0 ? 1 : weightOf(content.filter(({ inReference }) => inReference)) / all,
    shareOf(content.map(({ inReference }) => inReference)),
    first.gain / (all || 1),
    (first.gain + second.gain) / (all || 1),
  ]
}

/** Numbers, names and dates that are missing from the reference. */
const missingFeatures = (
  content: readonly ClaimWord[],
  claim: readonly ComparedWord[],
  reference: Reference,
): number[] => {
  const [numbers, names] = (['number', 'name'] as const).map((kind) => content.filter((word) => word.kind === kind))
  const lacking = (words: readonly ClaimWord[] = []): number => words.filter(({ inReference }) => !inReference).length
  return [
    lacking(numbers),
    Math.min(1, lacking(numbers)),
    lacking(names) / Math.max(1, names?.length ?? 0),
    Math.min(1, lacking(names)),
    Number(claim.some(({ word }) => dateWords.has(word) && !reference.words.has(word))),
  ]
}

/** How much of the claim the reference says in other words. */
const similarityFeatures = (
  content: readonly ClaimWord[],
  reference: Reference,
  { best }: Support,
  nearness: WordSimilarity,
) => {
  const total = weightOf(content) || 1
  const soft = content.map((word) =>
    word.inReference
      ? 1
      : similarityTo(word, reference.places, reference, () => nearness.inReference(word.word, reference.content)),
  )
  const inBest = content.map((word) =>
    best.stems.has(word.stem)
      ? 1
      : similarityTo(word, best.stems, reference, () => nearness.inSentence(word.word, best.content)),
  )
  const missing = content.map(({ weight }, at) => weight * (1 - (soft[at] ?? 0))).sort((a, b) => b - a)
  const shareIn = (found: readonly number[]): number =>
    sum(content.map(({ weight }, at) => weight * (found[at] ?? 0))) / total
  return {
    inBest,
    features: [shareIn(soft), shareIn(inBest), minOf(soft, 1), missing[0] ?? 0, sum(missing), missing[1] ?? 0],
  }
}

const verbsAndNumbers = (content: readonly ClaimWord[], { best, other }: Support): number[] => {
  const verbs = content.filter(({ word, small }) => small && /(?:ed|ing|s)$/.test(word))
  const numbers = content.filter(({ kind }) => kind === 'number')
  return [
    verbs.length > 0 ? 1 - shareOf(verbs.map(({ inReference }) => inReference)) : 0,
    numbers.length > 0 ? shareOf(numbers.map(({ stem }) => best.stems.has(stem) || other.stems.has(stem))) : 1,
  ]
}

const sentenceAt = ({ sentences }: Reference, index: number): ReferenceSentence =>
  sentences[index] ?? {
    start: 0,
    end: 0,
    words: [],
    stems: new Set(),
    known: new Set(),
    content: new Set(),
  }

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** The similarity of a missing word to the reference. Numbers and dates have none; names only to the same name with another ending. */
const similarityTo = (
  { stem, kind }: ClaimWord,
  there: { has(stem: string): boolean },
  reference: Reference,
  nearest: () => number,
): number => {
  if (kind === 'number' || kind === 'date') return 0
  if (reference.stemsLike(stem).some((other) => there.has(other) && areRelated(stem, other))) return sameRootSimilarity
  return kind === 'name' ? 0 : nearest()
}

/** Whether stems differ only in their endings: visit, visitor. */
const areRelated = (one: string, other: string): boolean => {
  const [short = '', long = ''] = [one, other].sort((a, b) => a.length - b.length)
  return short.length >= 5 && long.length - short.length <= 5 && long.startsWith(short.slice(0, -1))
}
