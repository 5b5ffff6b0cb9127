import type { WordTable } from './word-table.js'

/** Different words of a reference that are compared, and words of claims that are looked for among them. */
const mostKnown = 3_000
const mostAsked = 2_000

/** How near words are to the nearest of others, by their vectors. */
export class Nearness {
  private readonly vectors = new Map<string, Float32Array>()
  private readonly found = new Map<string, number>()

  constructor(private readonly table: WordTable) {}

  /** Cosine with the nearest word of the reference, at least 0. Words beyond what is compared have none. */
  inReference(word: string, reference: ReadonlySet<string>): number {
    let nearest = this.found.get(word)
    if (nearest === undefined) {
      nearest = this.found.size < mostAsked ? this.nearest(word, reference) : 0
      this.found.set(word, nearest)
    }
    return nearest
  }

  nearest(word: string, others: Iterable<string>): number {
    const vector = this.vector(word)
    let [best, count] = [0, 0]
    let any = false
    for (const other of others) {
      any = true
      if ((count += 1) > mostKnown) break
      best = Math.max(best, product(vector, this.vector(other)))
    }
    return any ? best : Math.max(0, product(vector, this.vector('.')))
  }

  private vector(word: string): Float32Array {
    let vector = this.vectors.get(word)
    if (!vector) {
      vector = this.table.vector(word)
      if (this.vectors.size < mostKnown + mostAsked) this.vectors.set(word, vector)
    }
    return vector
  }
}

const product = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
