import type { FactualityModel } from './model.js'

/** The maximum number of different words of a reference that are compared. */
const maxReferenceWords = 3_000
/** The maximum number of different words of one sentence that are compared. */
const maxSentenceWords = 300
/** The maximum number of different words of claims that are compared with the reference. */
const maxClaimWords = 2_000

/** Measures the similarity of a word to the nearest word of one reference, or of a sentence, by their embeddings. */
export class WordSimilarity {
  private readonly embeddings = new Map<string, Float32Array>()
  private readonly similarityToReference = new Map<string, number>()

  constructor(
    private readonly model: FactualityModel,
    private readonly reference: ReadonlySet<string>,
  ) {}

  /** The cosine with the nearest word of the reference, at least 0; 0 beyond the maximum number of words of claims. */
  toReference(word: string): number {
    let nearest = this.similarityToReference.get(word)
    if (nearest === undefined) {
      nearest =
        this.similarityToReference.size < maxClaimWords ? this.nearest(word, this.reference, maxReferenceWords) : 0
      this.similarityToReference.set(word, nearest)
    }
    return nearest
  }

  toSentence(word: string, sentence: ReadonlySet<string>): number {
    return this.nearest(word, sentence, maxSentenceWords)
  }

  private nearest(word: string, others: ReadonlySet<string>, maxWords: number): number {
    const embedding = this.embedding(word)
    // where there are no words, the training compares with a full stop; see training/claims.py
    if (others.size === 0) return Math.max(0, dotProduct(embedding, this.embedding('.')))
    let [best, count] = [0, 0]
    for (const other of others) {
      if ((count += 1) > maxWords) break
      best = Math.max(best, dotProduct(embedding, this.embedding(other)))
    }
    return best
  }

  private embedding(word: string): Float32Array {
    let embedding = this.embeddings.get(word)
    if (!embedding) {
      embedding = this.model.embedding(word)
      if (this.embeddings.size < maxReferenceWords + maxClaimWords) this.embeddings.set(word, embedding)
    }
    return embedding
  }
}

const dotProduct = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
