import type { Comparable, ComparedWord } from './comparable.js'
import { isNumber } from './comparable.js'
import { dateWords, opposites } from './lexicon.js'
import type { Nearness } from './nearness.js'
import type { Part, Reference } from './reference.js'
import type { WordTable } from './word-table.js'

/** What a claim has that its reference does not say, or says otherwise. */
export interface Differences {
  readonly numbers: boolean
  readonly names: boolean
  readonly dates: boolean
  readonly negation: boolean
  readonly opposite: boolean
}

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
  const { words } = claim
  const content = words.filter((word) => word.content)
  const keys = content.map(({ stem }) => stem)
  const weights = keys.map((key) => table.weight(key))
  const have = keys.map((key) => reference.has(key))
  const first = reference.best(keys, weights)
  const best = partAt(reference, first.index)
  const open = keys.flatMap((key, at) => (best.stems.has(key) ? [] : [at]))
  const second = reference.best(
    open.map((at) => keys[at] ?? ''),
    open.map((at) => weights[at] ?? 0),
  )
  const other = partAt(reference, second.index)
  const total = sum(weights) || 1
  const inBest = keys.map((key) => best.stems.has(key))
  const soft = softly(content, have, (word) => nearness.inReference(word, reference.content))
  const softBest = softly(content, inBest, (word) => nearness.inPart(word, best.content))
  const missing = weights.map((weight, at) => weight * (1 - (soft[at] ?? 0))).sort((a, b) => b - a)
  const numbers = keys.filter(isNumber)
  const names = words.flatMap((word, at) =>
    word.content && word.capital && at > 0 && !dateWords.has(word.word) ? [word.stem] : [],
  )
  const lacking = (stems: readonly string[]) => stems.filter((stem) => !reference.has(stem)).length
  const verbs = content.flatMap(({ word, small }, at) =>
    small && /(?:ed|ing|s)$/.test(word) ? [have[at] === true] : [],
  )
  const differences: Differences = {
    numbers: lacking(numbers) > 0,
    names: lacking(names) > 0,
    dates: words.some(({ word }) => dateWords.has(word) && !reference.words.has(word)),
    negation: claim.negated !== (best.negated || other.negated),
    opposite: words.some(({ word }) => saysOpposite(word, reference, [best, other])),
  }
  const stems = words.map(({ stem }) => stem)
  const features = [
    weights.length > 0 && sum(weights) !== 0 ? sum(weights.filter((_, at) => have[at])) / sum(weights) : 1,
    have.filter(Boolean).length / Math.max(1, have.length),
    first.gain / total,
    (first.gain + second.gain) / total,
    shareOf(stems.slice(1).map((stem, at) => reference.pairs.has(`${stems[at] ?? ''} ${stem}`))),
    shareOf(
      stems.slice(2).map((stem, at) => reference.triples.has(`${stems[at] ?? ''} ${stems[at + 1] ?? ''} ${stem}`)),
    ),
    nearPairs(keys, reference) / Math.max(1, keys.length - 1),
    longestRun(stems, reference) / Math.max(1, stems.length),
    lacking(numbers),
    Number(differences.numbers),
    lacking(names) / Math.max(1, names.length),
    Number(differences.names),
    Number(differences.dates),
    Number(differences.negation),
    Number(differences.opposite),
    sum(weights.map((weight, at) => weight * (soft[at] ?? 0))) / total,
    sum(weights.map((weight, at) => weight * (softBest[at] ?? 0))) / total,
    Math.min(1, ...soft),
    missing[0] ?? 0,
    sum(missing),
    missing[1] ?? 0,
    verbs.length > 0 ? 1 - shareOf(verbs) : 0,
    numbers.length > 0 ? shareOf(numbers.map((key) => best.stems.has(key) || other.stems.has(key))) : 1,
  ]
  const support = [first, second].filter(({ gain }) => gain > 0).map(({ index }) => index)
  return { features, differences, support: [...new Set(support)] }
}

const partAt = ({ parts }: Reference, index: number): Part =>
  parts[index] ?? { words: [], negated: false, stems: new Set(), known: new Set(), content: new Set() }

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
