import type { RankedDocument } from '@sallyport/core'

/** The documents of these scores, best first; ties in the order of the request. */
export const ranking = (scores: readonly number[], topN = scores.length): RankedDocument[] =>
  scores
    .map((score, index) => ({ index, score }))
    .sort((a, b) => b.score - a.score)
    .slice(0, topN)

/** The logistic function: any number to 0..1, in the same order. */
export const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value))

/** For each text the place of the first one that equals it: equal documents have the very same score. */
export const firstEqual = (texts: readonly string[]): number[] => {
  const places = new Map<string, number>()
  return texts.map((text, index) => {
    const known = places.get(text) ?? index
    places.set(text, known)
    return known
  })
}
