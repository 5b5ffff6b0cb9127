import type { ComparedWord } from './comparable.js'
import type { ClaimWord } from './differences.js'
import type { Reference } from './reference.js'

/** Two words are near each other within this distance in words. */
const maxDistance = 8
/** How many places of each word are compared. */
const maxPlaces = 20
/** The length in words of the passage in which the words of a claim count together. */
const denseWords = 45

/** How many words of a claim stand in the reference in the same order, or near each other. */
export const orderFeatures = (
  claim: readonly ComparedWord[],
  content: readonly ClaimWord[],
  reference: Reference,
): number[] => {
  const stems = claim.map(({ stem }) => stem)
  const keys = content.map(({ stem }) => stem)
  return [
    shareOf(stems.slice(1).map((stem, at) => reference.pairs.has(`${stems[at] ?? ''} ${stem}`))),
    shareOf(
      stems.slice(2).map((stem, at) => reference.triples.has(`${stems[at] ?? ''} ${stems[at + 1] ?? ''} ${stem}`)),
    ),
    nearPairs(keys, reference) / Math.max(1, keys.length - 1),
    longestRun(stems, reference) / Math.max(1, stems.length),
  ]
}

/** The highest weight of different words of a claim within one passage of the reference. */
export const densest = (content: readonly ClaimWord[], { places }: Reference): number => {
  const weights = new Map<string, number>()
  for (const { stem, weight } of content) weights.set(stem, (weights.get(stem) ?? 0) + weight)
  const found = [...weights]
    .flatMap(([stem, weight]) => (places.get(stem) ?? []).slice(0, maxPlaces).map((place) => ({ place, stem, weight })))
    .sort((a, b) => a.place - b.place)
  const count = new Map<string, number>()
  let [gain, best, begin] = [0, 0, 0]
  for (const { place, stem, weight } of found) {
    const before = count.get(stem) ?? 0
    count.set(stem, before + 1)
    if (before === 0) gain += weight
    for (let old = found[begin]; old && old.place <= place - denseWords; old = found[(begin += 1)]) {
      const left = (count.get(old.stem) ?? 0) - 1
      count.set(old.stem, left)
      if (left === 0) gain -= old.weight
    }
    best = Math.max(best, gain)
  }
  return best
}

/** The number of neighbouring content words that are near each other in the reference, too. */
const nearPairs = (keys: readonly string[], { places }: Reference): number =>
  keys.slice(1).filter((key, at) => {
    const others = places.get(keys[at] ?? '')?.slice(0, maxPlaces) ?? []
    return places
      .get(key)
      ?.slice(0, maxPlaces)
      .some((place) => others.some((other) => Math.abs(place - other) <= maxDistance))
  }).length

/** The length in words of the longest run of the claim that occurs in the reference. */
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

export const shareOf = (values: readonly boolean[]): number =>
  values.filter(Boolean).length / Math.max(1, values.length)
