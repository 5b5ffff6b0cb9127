import type { ComparedWord } from './comparable.js'
import type { ClaimWord } from './differences.js'
import type { Reference } from './reference.js'

/** Words within which two words of a reference stand near each other, and places of each that are tried. */
const reach = 8
const tried = 20
/** Words within which a claim's words count as said at once. */
const dense = 45

/** How much of it stands there in the same order, or near each other. */
export const inOrder = (
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

/** The highest weight of different words of a claim that stand within some words of the reference. */
export const densest = (content: readonly ClaimWord[], { places }: Reference): number => {
  const weights = new Map<string, number>()
  for (const { stem, weight } of content) weights.set(stem, (weights.get(stem) ?? 0) + weight)
  const found = [...weights]
    .flatMap(([stem, weight]) => (places.get(stem) ?? []).slice(0, tried).map((place) => ({ place, stem, weight })))
    .sort((a, b) => a.place - b.place)
  const count = new Map<string, number>()
  let [gain, best, begin] = [0, 0, 0]
  for (const { place, stem, weight } of found) {
    const before = count.get(stem) ?? 0
    count.set(stem, before + 1)
    if (before === 0) gain += weight
    for (let old = found[begin]; old && old.place <= place - dense; old = found[(begin += 1)]) {
      const left = (count.get(old.stem) ?? 0) - 1
      count.set(old.stem, left)
      if (left === 0) gain -= old.weight
    }
    best = Math.max(best, gain)
  }
  return best
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

export const shareOf = (values: readonly boolean[]): number =>
  values.filter(Boolean).length / Math.max(1, values.length)
