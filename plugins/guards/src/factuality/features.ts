import type { Claim } from '@sallyport/core'
import type { Comparable, ComparedWord } from './comparable.js'
import { isNumber } from './comparable.js'
import { dateWords, opposites } from './lexicon.js'
import type { Nearness } from './nearness.js'
import type { Part, Reference } from './reference.js'
import type { WordTable } from './word-table.js'

/** What a claim has that its reference does not say, or says otherwise. */
export type Differences = Readonly<Record<Claim['differences'][number], boolean>>

export interface Comparison {
  /** In the order of the model's features; see training/claims.py. */
  readonly features: readonly number[]
  readonly differences: Differences
  /** Places of the sentences of the reference that say most of it; none where none says anything of it. */
  readonly support: readonly number[]
}

/** Words within which two words of a reference stand near each other, and places of each that are tried. */
const reach = 8
const tried = 20

export const compare = (claim: Comparable, reference: Reference, table: WordTable, nearness: Nearness): Comparison => {
  const content = claim.words.filter((word) => word.content)
  const keys = content.map(({ stem }) => stem)
  const weights = keys.map((key) => table.weight(key))
  const support = supportOf(keys, weights, reference)
  const differences = differencesOf(claim, reference, support)
  const features = [
    ...covered(keys, weights, reference, support),
    ...inOrder(claim, keys, reference),
    ...differing(claim, differences, reference),
    ...near(content, weights, reference, support, nearness),
    ...verbsAndNumbers(content, reference, support),
  ]
  const places = [support.first, support.second].filter(({ gain }) => gain > 0).map(({ index }) => index)
  return { features, differences, support: [...new Set(places)] }
}

/** The sentence that says most of a claim, and the one that says most of what is left. */
interface Support {
  readonly first: { readonly index: number; readonly gain: number }
  readonly second: { readonly index: number; readonly gain: number }
  readonly best: Part
  readonly other: Part
}

const supportOf = (keys: readonly string[], weights: readonly number[], reference: Reference): Support => {
  const first = reference.best(keys, weights)
  const best = partAt(reference, first.index)
  const open = keys.flatMap((key, at) => (best.stems.has(key) ? [] : [at]))
  const second = reference.best(
    open.map((at) => keys[at] ?? ''),
    open.map((at) => weights[at] ?? 0),
  )
  return { first, second, best, other: partAt(reference, second.index) }
}

const differencesOf = (claim: Comparable, reference: Reference, { best, other }: Support): Differences => ({
  number: lacking(numbersOf(claim), reference) > 0,
  name: lacking(namesOf(claim), reference) > 0,
  date: claim.words.some(({ word }) => dateWords.has(word) && !reference.words.has(word)),
  negation: claim.negated !== (best.negated || other.negated),
  opposite: claim.words.some(({ word }) => saysOpposite(word, reference, [best, other])),
})

const numbersOf = ({ words }: Comparable): string[] =>
  words.flatMap(({ content, stem }) => (content && isNumber(stem) ? [stem] : []))

const namesOf = ({ words }: Comparable): string[] =>
  words.flatMap(({ content, capital, word, stem }, at) =>
    content && capital && at > 0 && !dateWords.has(word) ? [stem] : [],
  )

const lacking = (stems: readonly string[], reference: Reference): number =>
  stems.filter((stem) => !reference.has(stem)).length

/** How much of a claim the reference has, and its best sentences have. */
const covered = (
  keys: readonly string[],
  weights: readonly number[],
  reference: Reference,
  { first, second }: Support,
): number[] => {
  const all = sum(weights)
  const have = keys.map((key) => reference.has(key))
  return [
    all === 0 ? 1 : sum(weights.filter((_, at) => have[at])) / all,
    shareOf(have),
    first.gain / (all || 1),
    (first.gain + second.gain) / (all || 1),
  ]
}

/** How much of it stands there in the same order, or near each other. */
const inOrder = ({ words }: Comparable, keys: readonly string[], reference: Reference): number[] => {
  const stems = words.map(({ stem }) => stem)
  return [
    shareOf(stems.slice(1).map((stem, at) => reference.pairs.has(`${stems[at] ?? ''} ${stem}`))),
    shareOf(
      stems.slice(2).map((stem, at) => reference.triples.has(`${stems[at] ?? ''} ${stems[at + 1] ?? ''} ${stem}`)),
    ),
    nearPairs(keys, reference) / Math.max(1, keys.length - 1),
    longestRun(stems, reference) / Math.max(1, stems.length),
  ]
}

const differing = (claim: Comparable, differences: Differences, reference: Reference): number[] => {
  const names = namesOf(claim)
  return [
    lacking(numbersOf(claim), reference),
    Number(differences.number),
    lacking(names, reference) / Math.max(1, names.length),
    Number(differences.name),
    Number(differences.date),
    Number(differences.negation),
    Number(differences.opposite),
  ]
}

/** How much of it is there in other words. */
const near = (
  content: readonly ComparedWord[],
  weights: readonly number[],
  reference: Reference,
  { best }: Support,
  nearness: Nearness,
): number[] => {
  const total = sum(weights) || 1
  const have = content.map(({ stem }) => reference.has(stem))
  const inBest = content.map(({ stem }) => best.stems.has(stem))
  const soft = softly(content, have, (word) => nearness.inReference(word, reference.content))
  const softBest = softly(content, inBest, (word) => nearness.inPart(word, best.content))
  const missing = weights.map((weight, at) => weight * (1 - (soft[at] ?? 0))).sort((a, b) => b - a)
  return [
    sum(weights.map((weight, at) => weight * (soft[at] ?? 0))) / total,
    sum(weights.map((weight, at) => weight * (softBest[at] ?? 0))) / total,
    Math.min(1, ...soft),
    missing[0] ?? 0,
    sum(missing),
    missing[1] ?? 0,
  ]
}

const verbsAndNumbers = (
  content: readonly ComparedWord[],
  reference: Reference,
  { best, other }: Support,
): number[] => {
  const verbs = content.filter(({ word, small }) => small && /(?:ed|ing|s)$/.test(word))
  const numbers = content.filter(({ stem }) => isNumber(stem))
  return [
    verbs.length > 0 ? 1 - shareOf(verbs.map(({ stem }) => reference.has(stem))) : 0,
    numbers.length > 0 ? shareOf(numbers.map(({ stem }) => best.stems.has(stem) || other.stems.has(stem))) : 1,
  ]
}

const partAt = ({ parts }: Reference, index: number): Part =>
  parts[index] ?? {
    start: 0,
    end: 0,
    words: [],
    negated: false,
    stems: new Set(),
    known: new Set(),
    content: new Set(),
  }

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const shareOf = (values: readonly boolean[]): number => values.filter(Boolean).length / Math.max(1, values.length)

/** 1 for a word that is there, else how near the nearest one is; numbers have nothing near. */
const softly = (
  content: readonly ComparedWord[],
  have: readonly boolean[],
  nearest: (word: string) => number,
): number[] => content.map(({ word, stem }, at) => (have[at] ? 1 : isNumber(stem) ? 0 : nearest(word)))

const saysOpposite = (word: string, { words }: Reference, parts: readonly Part[]): boolean => {
  const others = opposites.get(word)
  return (
    others !== undefined && !words.has(word) && parts.some(({ known }) => [...others].some((one) => known.has(one)))
  )
}

/** Neighbouring content words that stand near each other in the reference, too. */
const nearPairs = (keys: readonly string[], { places }: Reference): number =>
  keys.slice(1).filter((key, at) => {
    const others = places.get(keys[at] ?? '')?.slice(0, tried) ?? []
    return places
      .get(key)
      ?.slice(0, tried)
      .some((place) => others.some((other) => Math.abs(place - other) <= reach))
  }).length

/** Words of the longest run that stands in the reference as it is. */
const longestRun = (stems: readonly string[], { places }: Reference): number => {
  let [best, previous] = [0, new Map<number, number>()]
  for (const stem of stems) {
    const current = new Map<number, number>()
    for (const place of places.get(stem) ?? []) {
      const length = (previous.get(place - 1) ?? 0) + 1
      current.set(place, length)
      best = Math.max(best, length)
    }
    previous = current
  }
  return best
}
