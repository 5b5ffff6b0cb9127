import { minOf } from '@sallyport/kit/lists'
import type { Claim } from '@sallyport/core'
import type { ComparedWord } from './comparable.js'
import { conflict, denied, isAbout, kindOf, saysOpposite } from './differences.js'
import type { ClaimWord } from './differences.js'
import { dateWords } from './lexicon.js'
import type { Nearness } from './nearness.js'
import { densest, inOrder, shareOf } from './order.js'
import type { Part, Reference } from './reference.js'
import type { WordTable } from './word-table.js'

/** What a claim has that its reference does not say, or says otherwise. */
export type Differences = Readonly<Record<Claim['differences'][number], boolean>>

export interface Comparison {
  /** Values in the order of the model's features; see training/claims.py. */
  readonly features: readonly number[]
  readonly differences: Differences
  /** Places of the sentences of the reference that say most of it; none where none says anything of it. */
  readonly support: readonly number[]
}

/** How near words of one root are. */
const related = 0.9

export const compare = (
  claim: readonly ComparedWord[],
  reference: Reference,
  table: WordTable,
  nearness: Nearness,
): Comparison => {
  const content = contentOf(claim, reference, table)
  const support = supportOf(content, reference)
  const differing = differingIn(claim, content, reference, support)
  const near = nearIn(content, reference, support, nearness)
  const features = [
    ...covered(content, support),
    ...inOrder(claim, content, reference),
    ...lackingIn(content, claim, reference),
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
      ? [{ ...word, kind: kindOf(word, at), weight: table.weight(word.stem), there: reference.has(word.stem) }]
      : [],
  )

const weightOf = (content: readonly ClaimWord[]): number => sum(content.map(({ weight }) => weight))

/** The sentence that says most of a claim, and the one that says most of what is left. */
interface Support {
  readonly first: { readonly index: number; readonly gain: number }
  readonly second: { readonly index: number; readonly gain: number }
  readonly best: Part
  readonly other: Part
}

const supportOf = (content: readonly ClaimWord[], reference: Reference): Support => {
  const bestOf = (words: readonly ClaimWord[]) =>
    reference.best(
      words.map(({ stem }) => stem),
      words.map(({ weight }) => weight),
    )
  const first = bestOf(content)
  const best = partAt(reference, first.index)
  const second = bestOf(content.filter(({ stem }) => !best.stems.has(stem)))
  return { first, second, best, other: partAt(reference, second.index) }
}

interface Differing {
  /** Whether one sentence has so much of a claim that both speak of the same. */
  readonly about: boolean
  readonly polarity: number
  readonly opposite: boolean
  readonly date: boolean
}

const differingIn = (
  claim: readonly ComparedWord[],
  content: readonly ClaimWord[],
  reference: Reference,
  { first, best, other }: Support,
): Differing => {
  const total = weightOf(content) || 1
  const about = isAbout(first.gain / total)
  return {
    about,
    polarity: about ? denied(content, [best, other], total) : 0,
    opposite: about && claim.some(({ word }) => saysOpposite(word, reference, [best, other])),
    date: claim.some(({ word }) => dateWords.has(word) && !reference.words.has(word)),
  }
}

const differencesOf = (content: readonly ClaimWord[], { polarity, opposite, date }: Differing): Differences => ({
  number: content.some(({ kind, there }) => kind === 'number' && !there),
  name: content.some(({ kind, there }) => kind === 'name' && !there),
  date,
  negation: polarity > 0,
  opposite,
})

/** How much of a claim the reference has, and its best sentences have. */
const covered = (content: readonly ClaimWord[], { first, second }: Support): number[] => {
  const all = weightOf(content)
  return [
    all === 0 ? 1 : weightOf(content.filter(({ there }) => there)) / all,
    shareOf(content.map(({ there }) => there)),
    first.gain / (all || 1),
    (first.gain + second.gain) / (all || 1),
  ]
}

/** Numbers, names and dates that the reference does not have. */
const lackingIn = (content: readonly ClaimWord[], claim: readonly ComparedWord[], reference: Reference): number[] => {
  const [numbers, names] = (['number', 'name'] as const).map((kind) => content.filter((word) => word.kind === kind))
  const lacking = (words: readonly ClaimWord[] = []): number => words.filter(({ there }) => !there).length
  return [
    lacking(numbers),
    Math.min(1, lacking(numbers)),
    lacking(names) / Math.max(1, names?.length ?? 0),
    Math.min(1, lacking(names)),
    Number(claim.some(({ word }) => dateWords.has(word) && !reference.words.has(word))),
  ]
}

/** How much of it is there in other words. */
const nearIn = (content: readonly ClaimWord[], reference: Reference, { best }: Support, nearness: Nearness) => {
  const total = weightOf(content) || 1
  const soft = content.map((word) =>
    word.there
      ? 1
      : softly(word, reference.places, reference, () => nearness.inReference(word.word, reference.content)),
  )
  const inBest = content.map((word) =>
    best.stems.has(word.stem) ? 1 : softly(word, best.stems, reference, () => nearness.inPart(word.word, best.content)),
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
    verbs.length > 0 ? 1 - shareOf(verbs.map(({ there }) => there)) : 0,
    numbers.length > 0 ? shareOf(numbers.map(({ stem }) => best.stems.has(stem) || other.stems.has(stem))) : 1,
  ]
}

const partAt = ({ parts }: Reference, index: number): Part =>
  parts[index] ?? {
    start: 0,
    end: 0,
    words: [],
    stems: new Set(),
    known: new Set(),
    content: new Set(),
  }

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** How near a word that is not there is to one that is. Nothing is near a number, a date or a name but the same name with another end. */
const softly = (
  { stem, kind }: ClaimWord,
  there: { has(stem: string): boolean },
  reference: Reference,
  nearest: () => number,
): number => {
  if (kind === 'number' || kind === 'date') return 0
  if (reference.beginningLike(stem).some((other) => there.has(other) && areRelated(stem, other))) return related
  return kind === 'name' ? 0 : nearest()
}

/** Whether stems differ only at their ends: visit, visitor. */
const areRelated = (one: string, other: string): boolean => {
  const [short = '', long = ''] = [one, other].sort((a, b) => a.length - b.length)
  return short.length >= 5 && long.length - short.length <= 5 && long.startsWith(short.slice(0, -1))
}
