import { isNumber } from './comparable.js'
import type { ComparedWord } from './comparable.js'
import { dateWords, opposites } from './lexicon.js'
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
const ignoredDenial = 0.15

export const kindOf = ({ stem, word, capital }: ComparedWord, at: number): Kind =>
  isNumber(stem) ? 'number' : dateWords.has(word) ? 'date' : capital && at > 0 ? 'name' : 'word'

export const isAbout = (covered: number): boolean => covered > minShared

const denials = new WeakMap<ReferenceSentence, ReadonlyMap<string, ReadonlySet<boolean>>>()

/** For each stem of a sentence, whether its occurrences are negated: true, false or both. */
const deniedIn = (part: ReferenceSentence): ReadonlyMap<string, ReadonlySet<boolean>> => {
  const known = denials.get(part)
  if (known) return known
  const deniedShare = new Map<string, Set<boolean>>()
  for (const word of part.words) deniedShare.set(word.stem, (deniedShare.get(word.stem) ?? new Set()).add(word.denied))
  denials.set(part, deniedShare)
  return deniedShare
}

/** The share of words, by weight, that either only the claim negates or only the supporting sentences. */
export const denied = (content: readonly ClaimWord[], parts: readonly ReferenceSentence[], total: number): number => {
  const differing = content.filter(({ stem, denied }) => {
    const part = parts.find(({ stems }) => stems.has(stem))
    const there = part && deniedIn(part).get(stem)
    return there !== undefined && !there.has(denied)
  })
  return Math.max(0, differing.reduce((weight, word) => weight + word.weight, 0) / total - ignoredDenial)
}

export const saysOpposite = (word: string, { words }: Reference, parts: readonly ReferenceSentence[]): boolean => {
  const others = opposites.get(word)
  return (
    others !== undefined && !words.has(word) && parts.some(({ known }) => [...others].some((one) => known.has(one)))
  )
}

/** Where words of a kind are missing from the reference, the share of all other words in the best sentence, which then says something else. */
export const conflict = (content: readonly ClaimWord[], inBest: readonly number[], kind: Kind): number => {
  const isLacking = (word: ClaimWord): boolean => word.kind === kind && !word.inReference
  if (!content.some(isLacking)) return 0
  let [found, total] = [0, 0]
  for (const [at, word] of content.entries()) {
    if (isLacking(word)) continue
    found += word.weight * (inBest[at] ?? 0)
    total += word.weight
  }
  return total === 0 ? 0 : found / total
}
