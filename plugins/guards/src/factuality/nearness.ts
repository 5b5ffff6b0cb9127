import type { WordTable } from './word-table.js'

/** Different words of a reference that are compared, and words of claims that are looked for among them. */
const maxKnown = 3_000
/** Different words of one sentence that are compared. */
const maxInPart = 300
const maxAsked = 2_000

/** How near words are to the nearest of others, by their vectors. */
export class Nearness {
  private readonly vectors = new Map<string, Float32Array>()
  private readonly found = new Map<string, number>()

  constructor(private readonly table: WordTable) {}

  /** Cosine with the nearest word of the reference, at least 0. Words beyond what is compared have none. */
  inReference(word: string, reference: ReadonlySet<string>): number {
    let nearest = this.found.get(word)
    if (nearest === undefined) {
      nearest = this.found.size < maxAsked ? this.nearest(word, reference, maxKnown) : 0
      this.found.set(word, nearest)
    }
    return nearest
  }

  inPart(word: string, part: ReadonlySet<string>): number {
    return this.nearest(word, part, maxInPart)
  }

  private nearest(word: string, others: ReadonlySet<string>, most: number): number {
    const vector = this.vector(word)
    if (others.size === 0) return Math.max(0, product(vector, this.vector('.')))
    let [best, count] = [0, 0]
    for (const other of others) {
      if ((count += 1) > most) break
      best = Math.max(best, product(vector, this.vector(other)))
    }
    return best
  }

  private vector(word: string): Float32Array {
    let vector = this.vectors.get(word)
    if (!vector) {
      vector = this.table.vector(word)
      if (this.vectors.size < maxKnown + maxAsked) this.vectors.set(word, vector)
    }
    return vector
  }
}

const product = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
