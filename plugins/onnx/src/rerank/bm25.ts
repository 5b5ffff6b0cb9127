/**
 * Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009) over the
 * documents of one request, with the constants and the never negative inverse document frequency of Lucene's
 * BM25Similarity.
 */

/** How soon more of the same word stops counting. */
const k1 = 1.2
/** How much a document's length counts: 0 not at all, 1 fully. */
const b = 0.75

const word = /[\p{L}\p{N}\p{M}_]+/gu

/** Lower-case words: runs of letters, digits, marks and underscores. */
export const wordsOf = (text: string): string[] => text.normalize('NFKC').toLowerCase().match(word) ?? []

/** The score of each document, 0 or more. */
export const bm25 = (query: string, documents: readonly string[]): number[] => {
  const asked = new Set(wordsOf(query))
  const counted = documents.map((document) => count(wordsOf(document), asked))
  const meanLength = counted.reduce((sum, { length }) => sum + length, 0) / documents.length
  const weights = new Map(
    [...asked].map((term) => {
      const having = counted.filter(({ counts }) => counts.has(term)).length
      return [term, Math.log(1 + (documents.length - having + 0.5) / (having + 0.5))]
    }),
  )
  return counted.map(({ counts, length }) => {
    let score = 0
    for (const [term, times] of counts)
      score += ((weights.get(term) ?? 0) * times * (k1 + 1)) / (times + k1 * (1 - b + (b * length) / meanLength))
    return score
  })
}

const count = (words: readonly string[], asked: ReadonlySet<string>) => {
  const counts = new Map<string, number>()
  for (const one of words) if (asked.has(one)) counts.set(one, (counts.get(one) ?? 0) + 1)
  return { counts, length: words.length }
}
