import type { RankedDocument, RerankRequest, RerankResult } from '@sallyport/core'

/** The documents of these scores, best first; ties in the order of the request. */
export const ranking = (scores: readonly number[], topN = scores.length): RankedDocument[] =>
  scores
    .map((score, index) => ({ index, score }))
    .sort((a, b) => b.score - a.score)
    .slice(0, topN)

export interface Scored {
  /** One per document, in order. */
  readonly scores: readonly number[]
  readonly promptTokens: number
}

/** Ranks documents by the scores of those that are not blank. Blank ones score 0, and no model is asked about them. */
export const rankWritten = async (
  { documents, topN }: Pick<RerankRequest, 'documents' | 'topN'>,
  score: (written: readonly string[]) => Promise<Scored>,
): Promise<RerankResult> => {
  const places = [...documents.keys()].filter((index) => documents[index]?.trim() !== '')
  const scores = documents.map(() => 0)
  if (places.length === 0) return { ranking: ranking(scores, topN), promptTokens: 0 }
  const found = await score(places.map((index) => documents[index] ?? ''))
  for (const [position, place] of places.entries()) scores[place] = found.scores[position] ?? 0
  return { ranking: ranking(scores, topN), promptTokens: found.promptTokens }
}

/** For each text the place of the first one that equals it: equal documents have the very same score. */
export const firstEqual = (texts: readonly string[]): number[] => {
  const places = new Map<string, number>()
  return texts.map((text, index) => {
    const known = places.get(text) ?? index
    places.set(text, known)
    return known
  })
}

/** Values that differ by less are equal: results of a model depend a little on their neighbours in a batch. */
const noise = 1e-6

/** By how many standard deviations each value is above the mean of all; all are 0 where the values are equal. */
export const zScores = (values: readonly number[]): number[] => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
  return values.map((value) => (deviation > noise ? (value - mean) / deviation : 0))
}
