import { isNumber } from './comparable.js'
import type { ComparedWord } from './comparable.js'
import { dateWords, opposites } from './lexicon.js'
import type { Part, Reference } from './reference.js'

/** What a content word of a claim is. */
export type Kind = 'number' | 'date' | 'name' | 'word'

/** A content word of a claim. */
export interface ClaimWord extends ComparedWord {
  readonly kind: Kind
  readonly weight: number
  /** Whether the reference has it. */
  readonly there: boolean
}

/** Share of a claim that one sentence has, from which on both speak of the same. */
const same = 0.6
/** Share of words that only one side denies that means nothing: a negation reaches less far or farther than is counted. */
const slight = 0.15

export const kindOf = ({ stem, word, capital }: ComparedWord, at: number): Kind =>
  isNumber(stem) ? 'number' : dateWords.has(word) ? 'date' : capital && at > 0 ? 'name' : 'word'

export const isAbout = (covered: number): boolean => covered > same

const denials = new WeakMap<Part, ReadonlyMap<string, ReadonlySet<boolean>>>()

/** Whether a stem is denied, in each of its places. */
const deniedIn = (part: Part): ReadonlyMap<string, ReadonlySet<boolean>> => {
  const known = denials.get(part)
  if (known) return known
  const denied = new Map<string, Set<boolean>>()
  for (const word of part.words) denied.set(word.stem, (denied.get(word.stem) ?? new Set()).add(word.denied))
  denials.set(part, denied)
  return denied
}

/** Weight of the words that only the claim denies, or only the sentences that say most of it. */
export const denied = (content: readonly ClaimWord[], parts: readonly Part[], total: number): number => {
  const differing = content.filter(({ stem, denied }) => {
    const part = parts.find(({ stems }) => stems.has(stem))
    const there = part && deniedIn(part).get(stem)
    return there !== undefined && !there.has(denied)
  })
  return Math.max(0, differing.reduce((weight, word) => weight + word.weight, 0) / total - slight)
}

export const saysOpposite = (word: string, { words }: Reference, parts: readonly Part[]): boolean => {
  const others = opposites.get(word)
  return (
    others !== undefined && !words.has(word) && parts.some(({ known }) => [...others].some((one) => known.has(one)))
  )
}

/** How much of the rest stands in one sentence where something of a kind is lacking: then that says something else there. */
export const conflict = (content: readonly ClaimWord[], inBest: readonly number[], kind: Kind): number => {
  const isLacking = (word: ClaimWord): boolean => word.kind === kind && !word.there
  if (!content.some(isLacking)) return 0
  let [found, total] = [0, 0]
  for (const [at, word] of content.entries()) {
    if (isLacking(word)) continue
    found += word.weight * (inBest[at] ?? 0)
    total += word.weight
  }
  return total === 0 ? 0 : found / total
}
