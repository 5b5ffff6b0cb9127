import type { ComparedWord } from './compared-words.js'
import type { ClaimWord } from './differences.js'
import type { Reference } from './reference.js'

/** Two words are near each other within this distance in words. */
const maxDistance = 8
/** How many positions of each word are compared. */
const maxPositions = 20
/** The length in words of the passage in which the words of a claim count together. */
const passageLength = 45

/** The shares of a claim whose words the reference has in the same order, or near each other. */
export const orderFeatures = (
  claim: readonly ComparedWord[],
  contentWords: readonly ClaimWord[],
  reference: Reference,
): number[] => {
  const stems = claim.map(({ stem }) => stem)
  const contentStems = contentWords.map(({ stem }) => stem)
  return [
    shareOf(stems.slice(1).map((stem, at) => reference.bigrams.has(`${stems[at] ?? ''} ${stem}`))),
    shareOf(
      stems.slice(2).map((stem, at) => reference.trigrams.has(`${stems[at] ?? ''} ${stems[at + 1] ?? ''} ${stem}`)),
    ),
    nearPairs(contentStems, reference) / Math.max(1, contentStems.length - 1),
    longestRun(stems, reference) / Math.max(1, stems.length),
  ]
}

/** The highest total weight of words of a claim that one passage of the reference has, however often it has them. */
export const maxPassageWeight = (contentWords: readonly ClaimWord[], { positions }: Reference): number => {
  const weights = new Map<string, number>()
  for (const { stem, weight } of contentWords) weights.set(stem, (weights.get(stem) ?? 0) + weight)
  const occurrences = [...weights]
    .flatMap(([stem, weight]) =>
      (positions.get(stem) ?? []).slice(0, maxPositions).map((position) => ({ position, stem, weight })),
    )
    .sort((a, b) => a.position - b.position)
  const count = new Map<string, number>()
  let [total, best, begin] = [0, 0, 0]
  for (const { position, stem, weight } of occurrences) {
    const before = count.get(stem) ?? 0
    count.set(stem, before + 1)
    if (before === 0) total += weight
    for (
      let old = occurrences[begin];
      old && old.position <= position - passageLength;
      old = occurrences[(begin += 1)]
    ) {
      const left = (count.get(old.stem) ?? 0) - 1
      count.set(old.stem, left)
      if (left === 0) total -= old.weight
    }
    best = Math.max(best, total)
  }
  return best
}

/** The number of pairs of neighbouring content words that are near each other in the reference, too. */
const nearPairs = (contentStems: readonly string[], { positions }: Reference): number =>
  contentStems.slice(1).filter((stem, at) => {
    const others = positions.get(contentStems[at] ?? '')?.slice(0, maxPositions) ?? []
    return positions
      .get(stem)
      ?.slice(0, maxPositions)
      .some((position) => others.some((other) => Math.abs(position - other) <= maxDistance))
  }).length

/** The length in words of the longest run of the claim that occurs in the reference. */
const longestRun = (stems: readonly string[], { positions }: Reference): number => {
  let [best, previous] = [0, new Map<number, number>()]
  for (const stem of stems) {
    const current = new Map<number, number>()
    for (const position of positions.get(stem) ?? []) {
      const length = (previous.get(position - 1) ?? 0) + 1
      current.set(position, length)
      best = Math.max(best, length)
    }
    previous = current
  }
  return best
}

export const shareOf = (values: readonly boolean[]): number =>
  values.filter(Boolean).length / Math.max(1, values.length)
