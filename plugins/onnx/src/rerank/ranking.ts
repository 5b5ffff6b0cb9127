import type { RankedDocument, RerankRequest, RerankResult } from '@sallyport/core'
import { meanOf } from '../statistics.js'

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

/** Ranks documents; blank ones score 0, and the model is not asked about them. */
export const rankNonBlank = async (
  { documents, topN }: Pick<RerankRequest, 'documents' | 'topN'>,
  score: (documents: readonly string[]) => Promise<DocumentScores>,
): Promise<RerankResult> => {
  const positions = [...documents.keys()].filter((index) => documents[index]?.trim() !== '')
  const scores = documents.map(() => 0)
  if (positions.length === 0) return { ranking: ranking(scores, topN), promptTokens: 0 }
  const scored = await score(positions.map((position) => documents[position] ?? ''))
  for (const [index, position] of positions.entries()) scores[position] = scored.scores[index] ?? 0
  return { ranking: ranking(scores, topN), promptTokens: scored.promptTokens }
}

/** For each text the position of the first equal one, so that equal documents get exactly the same score. */
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
  const mean = meanOf(values)
  const deviation = Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)))
  return values.map((value) => (deviation > noise ? (value - mean) / deviation : 0))
}
