/**
 * Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009) over the
 * documents of one request, with the constants and the never negative inverse document frequency of Lucene's
 * BM25Similarity.
 */

import type { Steps } from '@sallyport/kit/async'
import { wholeCharacters } from '../text/text-reader.js'

/** How soon more of the same word stops counting. */
const k1 = 1.2
/** How much a document's length counts: 0 not at all, 1 fully. */
const b = 0.75

const word = /[\p{L}\p{N}\p{M}_]+/gu
const betweenWords = /[^\p{L}\p{N}\p{M}_]/u

/** UTF-16 units that are read in one step: some milliseconds. A longer word is parted. */
const sliceLength = 16_384

/** Lower-case words: runs of letters, digits, marks and underscores. */
export const wordsOf = (text: string): string[] =>
  inStreamSafeParts(text, (piece) => piece.normalize('NFKC'))
    .toLowerCase()
    .match(word) ?? []

/** The score of each document, 0 or more. */
export function* bm25(query: string, documents: readonly string[]): Steps<number[]> {
  const asked = new Set<string>()
  for (const some of slices(query)) {
    for (const one of wordsOf(some)) asked.add(one)
    yield
  }
  const counted: Counted[] = []
  for (const document of documents) counted.push(yield* count(document, asked))
  const meanLength = counted.reduce((sum, { length }) => sum + length, 0) / documents.length
  const weights = weightsOf(counted)
  return counted.map(({ counts, length }) => {
    let score = 0
    for (const [term, times] of counts)
      score += ((weights.get(term) ?? 0) * times * (k1 + 1)) / (times + k1 * (1 - b + (b * length) / meanLength))
    return score
  })
}

interface Counted {
  /** How often a word that was asked for occurs, if it does. */
  readonly counts: ReadonlyMap<string, number>
  /** All words. */
  readonly length: number
}

function* count(document: string, asked: ReadonlySet<string>): Steps<Counted> {
  const counts = new Map<string, number>()
  let length = 0
  for (const some of slices(document)) {
    const words = wordsOf(some)
    for (const one of words) if (asked.has(one)) counts.set(one, (counts.get(one) ?? 0) + 1)
    length += words.length
    yield
  }
  return { counts, length }
}

/** The inverse document frequency of each word that occurs. */
const weightsOf = (counted: readonly Counted[]): Map<string, number> => {
  const having = new Map<string, number>()
  for (const { counts } of counted) for (const term of counts.keys()) having.set(term, (having.get(term) ?? 0) + 1)
  return new Map(
    Array.from(having, ([term, some]) => [term, Math.log(1 + (counted.length - some + 0.5) / (some + 0.5))]),
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
  const ideal = from + sliceLength
  if (ideal >= text.length) return text.length
  const near = text.slice(wholeCharacters(text, ideal), wholeCharacters(text, ideal + sliceLength))
  const end = near.search(betweenWords)
  return wholeCharacters(text, ideal) + Math.max(0, end)
}

/** As many marks in a row as Unicode's Stream-Safe Text Format allows (UAX #15); no language needs as many. */
const maxMarks = /\p{Mark}{30}/gu

/**
 * What a function makes of a text, which it is given in pieces without long runs of marks: `String.normalize` takes
 * quadratic time in these. Other texts are given whole.
 */
export const inStreamSafeParts = (text: string, normalise: (piece: string) => string): string => {
  let normalised = ''
  let from = 0
  for (const { 0: marks, index } of text.matchAll(maxMarks)) {
    const to = index + marks.length
    normalised += normalise(text.slice(from, to))
    from = to
  }
  return from === 0 ? normalise(text) : normalised + (from < text.length ? normalise(text.slice(from)) : '')
}
