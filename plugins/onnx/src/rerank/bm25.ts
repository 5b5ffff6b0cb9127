/**
 * Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009) over the
 * documents of one request, with the constants and the non-negative inverse document frequency of Lucene's
 * BM25Similarity.
 */

import type { Steps } from '@sallyport/kit/async'
import { characterStart } from '@sallyport/kit/text'
import { meanOf } from '../statistics.js'

/** How soon repetitions of a term stop counting. */
const k1 = 1.2
/** How much the length of a document counts, from 0 to 1. */
const b = 0.75

const wordPattern = /[\p{L}\p{N}\p{M}_]+/gu
const betweenWords = /[^\p{L}\p{N}\p{M}_]/u

/** UTF-16 code units that are read in one step of some milliseconds. A longer word is split. */
const sliceLength = 16_384

/** The words in lower case: runs of letters, digits, marks and underscores. */
export const wordsOf = (text: string): string[] =>
  normaliseInParts(text, (part) => part.normalize('NFKC'))
    .toLowerCase()
    .match(wordPattern) ?? []

/** The score of each document, 0 or more. */
export function* bm25(query: string, documents: readonly string[]): Steps<number[]> {
  const queryTerms = new Set<string>()
  for (const slice of slices(query)) {
    for (const word of wordsOf(slice)) queryTerms.add(word)
    yield
  }
  const documentCounts: TermCounts[] = []
  for (const document of documents) documentCounts.push(yield* count(document, queryTerms))
  const meanLength = meanOf(documentCounts.map(({ length }) => length))
  const weights = weightsOf(documentCounts)
  return documentCounts.map(({ counts, length }) => {
    let score = 0
    for (const [term, occurrences] of counts)
      score +=
        ((weights.get(term) ?? 0) * occurrences * (k1 + 1)) / (occurrences + k1 * (1 - b + (b * length) / meanLength))
    return score
  })
}

interface TermCounts {
  /** How often each term of the query occurs, for those that do. */
  readonly counts: ReadonlyMap<string, number>
  /** The number of all words. */
  readonly length: number
}

function* count(document: string, queryTerms: ReadonlySet<string>): Steps<TermCounts> {
  const counts = new Map<string, number>()
  let length = 0
  for (const slice of slices(document)) {
    const words = wordsOf(slice)
    for (const term of words) if (queryTerms.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1)
    length += words.length
    yield
  }
  return { counts, length }
}

/** The inverse document frequency of each term that occurs. */
const weightsOf = (documentCounts: readonly TermCounts[]): Map<string, number> => {
  const documentFrequency = new Map<string, number>()
  for (const { counts } of documentCounts)
    for (const term of counts.keys()) documentFrequency.set(term, (documentFrequency.get(term) ?? 0) + 1)
  return new Map(
    Array.from(documentFrequency, ([term, frequency]) => [
      term,
      Math.log(1 + (documentCounts.length - frequency + 0.5) / (frequency + 0.5)),
    ]),
  )
}

function* slices(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const to = sliceEnd(text, from)
    yield text.slice(from, to)
    from = to
  }
}

const sliceEnd = (text: string, from: number): number => {
  if (from + sliceLength >= text.length) return text.length
  const ideal = characterStart(text, from + sliceLength)
  const near = text.slice(ideal, characterStart(text, ideal + sliceLength))
  return ideal + Math.max(0, near.search(betweenWords))
}

/** Unicode's Stream-Safe Text Format (UAX #15) allows 30 marks in a row; no language needs as many. */
const markRun = /\p{Mark}{30}/gu

/**
 * Normalises a text in parts without long runs of marks, in which `String.normalize` takes quadratic time. A text
 * without such runs is one part.
 */
export const normaliseInParts = (text: string, normalise: (part: string) => string): string => {
  let normalised = ''
  let from = 0
  for (const { 0: marks, index } of text.matchAll(markRun)) {
    const to = index + marks.length
    normalised += normalise(text.slice(from, to))
    from = to
  }
  return from === 0 ? normalise(text) : normalised + (from < text.length ? normalise(text.slice(from)) : '')
}
