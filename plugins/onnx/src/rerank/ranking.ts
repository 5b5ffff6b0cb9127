import type { RankedDocument, RerankRequest, RerankResult } from '@sallyport/core'

/** Ranks documents by their scores, best first; ties stay in the order of the request. */
export const ranking = (scores: readonly number[], topN = scores.length): RankedDocument[] =>
  scores
    .map((score, index) => ({ index, score }))
    .sort((a, b) => b.score - a.score)
    .slice(0, topN)

export interface DocumentScores {
  /** The score of each document, in order. */
  readonly scores: readonly number[]
  readonly promptTokens: number
}

/** Ranks documents by the scores of those that are not blank. Blank ones score 0 without a call of the model. */
export const rankNonBlank = async (
  { documents, topN }: Pick<RerankRequest, 'documents' | 'topN'>,
  score: (documents: readonly string[]) => Promise<DocumentScores>,
): Promise<RerankResult> => {
  const positions = [...documents.keys()].filter((index) => documents[index]?.trim() !== '')
  const scores = documents.map(() => 0)
  if (positions.length === 0) return { ranking: ranking(scores, topN), promptTokens: 0 }
  const scored = await score(positions.map((index) => documents[index] ?? ''))
  for (const [index, position] of positions.entries()) scores[position] = scored.scores[index] ?? 0
  return { ranking: ranking(scores, topN), promptTokens: scored.promptTokens }
}

/** The position of the first equal text, for each text: equal documents get exactly the same score. */
export const firstOccurrences = (texts: readonly string[]): number[] => {
  const positions = new Map<string, number>()
  return texts.map((text, index) => {
    const position = positions.get(text) ?? index
    positions.set(text, position)
    return position
  })
}

/** A smaller deviation is noise, because a result of a model depends a little on the other items of its batch. */
const noise = 1e-6

/** How many standard deviations each value is above the mean; 0 for all where the values are equal. */
export const zScores = (values: readonly number[]): number[] => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
  return values.map((value) => (deviation > noise ? (value - mean) / deviation : 0))
}
