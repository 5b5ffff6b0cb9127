import type { WordTable } from './word-table.js'

/** The maximum number of different words of a reference that are compared. */
const maxReferenceWords = 3_000
/** The maximum number of different words of one sentence that are compared. */
const maxSentenceWords = 300
/** The maximum number of different words of claims that are compared with the reference. */
const maxQueries = 2_000

/** Measures the similarity of words to the nearest of others, by their vectors. */
export class WordSimilarity {
  private readonly vectors = new Map<string, Float32Array>()
  private readonly found = new Map<string, number>()

  constructor(private readonly table: WordTable) {}

  /** The cosine with the nearest word of the reference, at least 0; 0 beyond the maximum number of words. */
  inReference(word: string, reference: ReadonlySet<string>): number {
    let nearest = this.found.get(word)
    if (nearest === undefined) {
      nearest = this.found.size < maxQueries ? this.nearest(word, reference, maxReferenceWords) : 0
      this.found.set(word, nearest)
    }
    return nearest
  }

  inSentence(word: string, part: ReadonlySet<string>): number {
    return this.nearest(word, part, maxSentenceWords)
  }

  private nearest(word: string, others: ReadonlySet<string>, most: number): number {
    const vector = this.vector(word)
    if (others.size === 0) return Math.max(0, dotProduct(vector, this.vector('.')))
    let [best, count] = [0, 0]
    for (const other of others) {
      if ((count += 1) > most) break
      best = Math.max(best, dotProduct(vector, this.vector(other)))
    }
    return best
  }

  private vector(word: string): Float32Array {
    let vector = this.vectors.get(word)
    if (!vector) {
      vector = this.table.vector(word)
      if (this.vectors.size < maxReferenceWords + maxQueries) this.vectors.set(word, vector)
    }
    return vector
  }
}

const dotProduct = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
